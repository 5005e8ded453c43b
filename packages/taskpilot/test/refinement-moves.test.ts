import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Snapshot } from '@tadpole/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultMoves } from '../src/refine/default-moves.js';
import type { MeasuredTask, Refinement } from '../src/refine/refinement-move.js';
import { seededRandom } from '../src/seeded-random.js';
import { refinementMoveConformance } from '../src/testing/index.js';
import { candidateIdOf, readTrees } from '../src/validate/candidate-trees.js';
import { validateCandidate } from '../src/validate/validate-candidate.js';
import { measured, measuredTasks, openMeasuredSample } from './support/measured-sample.js';
import { sampleLimits } from './support/sample-project.js';
import { createNodeTestExecutor } from './support/test-executors.js';

const directory = mkdtempSync(join(tmpdir(), 'tadpole-refine-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

let snapshot: Snapshot;
let easy: Awaited<ReturnType<typeof measuredTasks>>;
/** Three bugs in one file, and a body that is gone: too hard. */
let combination: MeasuredTask;
let bodiless: MeasuredTask;

beforeAll(async () => {
  snapshot = await openMeasuredSample(directory);
  easy = await measuredTasks(snapshot);
  combination = await hardened('combine-same-file', easy.contains);
  bodiless = await hardened('remove-body', easy.clamp);
}, 120_000);

async function hardened(name: string, task: MeasuredTask): Promise<MeasuredTask> {
  const [refinement] = await refine({ name, task, others: Object.values(easy) });
  if (refinement?.proposal.kind !== 'candidate') throw new Error(`${name} does not apply`);
  const { candidate, rung } = refinement.proposal;
  return { ...(await measured({ snapshot, candidate, rung, posteriorMean: 0.1 })), steps: 1 };
}

async function refine(options: { name: string; task: MeasuredTask; others?: readonly MeasuredTask[] }): Promise<Refinement[]> {
  const { name, task, others = [] } = options;
  const refinements: Refinement[] = [];
  const move = moveOf(name);
  for await (const refinement of move.propose({ task, others, random: seededRandom(7) })) refinements.push(refinement);
  return refinements;
}

function moveOf(name: string) {
  const move = defaultMoves().find((item) => item.name === name);
  if (move === undefined) throw new Error(`no move ${name}`);
  return move;
}

function withData(task: MeasuredTask, lineage: Partial<MeasuredTask['draft']['data']['lineage']>): MeasuredTask {
  const { data } = task.draft;
  return { ...task, draft: { ...task.draft, data: { ...data, lineage: { ...data.lineage, ...lineage } } } };
}

const candidates = (refinements: readonly Refinement[]) =>
  refinements.flatMap(({ proposal }) => (proposal.kind === 'candidate' ? [proposal] : []));
const instructions = (refinements: readonly Refinement[]) =>
  refinements.flatMap(({ proposal }) => (proposal.kind === 'draft' ? [proposal.draft.data.instruction] : []));
const agentText = async (refinement: Refinement | undefined) => {
  if (refinement?.proposal.kind !== 'candidate') throw new Error('no candidate');
  return (await readTrees({ snapshot, candidate: refinement.proposal.candidate }))[0]?.agent ?? '';
};

describe('conformance', () => {
  const taskOf = (name: string) => ({ split: combination, smaller: bodiless, deeper: easy.clamp, 'remove-body': easy.clamp })[name];
  const shape = { snapshot: {} } as MeasuredTask;
  const names = defaultMoves().flatMap((move) => refinementMoveConformance({ move, task: shape }).map(({ name }) => [move.name, name]));
  test.each(names)('%s %s', async (move = '', name) => {
    const others = Object.values(easy).filter((other) => other !== easy.contains && other !== taskOf(move));
    const cases = refinementMoveConformance({ move: moveOf(move), task: taskOf(move) ?? easy.contains, others });
    await cases.find((item) => item.name === name)?.run();
  });

  test('finds a move that gives the task itself back', async () => {
    const idle = {
      ...moveOf('say-less'),
      async *propose({ task }: { task: MeasuredTask }): AsyncGenerator<Refinement> {
        yield { proposal: { kind: 'candidate', candidate: task.candidate, rung: 'file' }, parents: [task] };
      },
    };
    const cases = refinementMoveConformance({ move: idle, task: easy.contains });
    await expect(cases.find(({ name }) => name.includes('none of the given tasks'))?.run()).rejects.toThrow('expected new tasks');
    await expect(cases.find(({ name }) => name.includes('code aborted'))?.run()).rejects.toThrow();
  });
});

describe('statement moves', () => {
  test('go down and up the ladder one rung after the other, from a task that a real suite holds for valid', async () => {
    const { contains: task } = easy;
    expect(task.draft.data.instruction).toBe('Fix lib/range.js: expected true, got false.');
    const less = await refine({ name: 'say-less', task });
    expect(less.map(({ proposal }) => proposal.kind === 'draft' && proposal.draft.data.lineage.statementRung)).toEqual([
      'contract',
      'symptom',
    ]);
    expect(instructions(less)[1]).toBe('Fix the failure of "holds its ends": expected true, got false.');
    const more = await refine({ name: 'say-more', task });
    expect(more.map(({ proposal }) => proposal.kind === 'draft' && proposal.draft.data.lineage.statementRung)).toEqual([
      'function',
      'example',
      'region',
      'line',
      'quoted-line',
    ]);
  });

  test('pass over a statement that its gates refuse', async () => {
    const { contains: task } = easy;
    const leaking = {
      ...task,
      draft: { ...task.draft, facts: { ...task.draft.facts, testName: 'return value >= low && value <= high;' } },
    };
    const rungs = (await refine({ name: 'say-less', task: leaking })).map(
      ({ proposal }) => proposal.kind === 'draft' && proposal.draft.data.lineage.statementRung,
    );
    expect(rungs).toEqual(['contract']);
  });

  test('end at the ends of the ladder, and leave a written statement alone', async () => {
    const [symptom, line] = [
      withData(easy.contains, { statementRung: 'symptom' }),
      withData(easy.contains, { statementRung: 'quoted-line' }),
    ];
    expect(await refine({ name: 'say-less', task: symptom })).toEqual([]);
    expect(await refine({ name: 'say-more', task: line })).toEqual([]);
    const written = withData(easy.contains, { statementRung: 'written' });
    for (const name of ['say-less', 'say-more', 'widen', 'combine-same-file', 'deeper', 'remove-body', 'smaller'])
      expect(await refine({ name, task: written, others: Object.values(easy) }), name).toEqual([]);
  });

  test('do not go back to a statement that is known already', async () => {
    const { contains: task } = easy;
    const [first] = await refine({ name: 'say-less', task });
    if (first?.proposal.kind !== 'draft') throw new Error('no draft');
    const child = { ...task, draft: first.proposal.draft };
    const back = await refine({ name: 'say-more', task: child, others: [task] });
    expect(instructions(back)).not.toContain(task.draft.data.instruction);
    expect(instructions(await refine({ name: 'say-more', task: child }))).toContain(task.draft.data.instruction);
  });
});

describe('combinations', () => {
  test('take the parts whose product of posterior means comes nearest to the middle of the band', async () => {
    const { contains, clamp, width } = easy;
    const sets = await refine({ name: 'combine-same-file', task: contains, others: Object.values(easy) });
    const byRate = sets.map(({ parents }) => parents.reduce((product, { posteriorMean }) => product * posteriorMean, 1));
    expect(byRate.map((rate) => rate.toFixed(3))).toEqual(['0.518', '0.648', '0.720']);
    expect(new Set(sets[0]?.parents)).toEqual(new Set([contains, clamp, width]));
    expect(candidates(sets)[0]?.candidate.lineage).toEqual({
      ...{ generator: 'combination', operator: 'combine-same-file', file: 'lib/range.js', line: 5 },
      parts: [contains, clamp, width].map(({ draft }) => draft.candidateId),
    });
  });

  test('stay in a folder or leave it, and never name one place for bugs in several', async () => {
    const { contains: task, ...others } = easy;
    const near = await refine({ name: 'combine-same-module', task, others: Object.values(others) });
    expect(near.map(({ parents }) => parents)).toEqual([[task, easy.sum]]);
    const far = await refine({ name: 'combine-across-files', task, others: Object.values(others) });
    expect(far).toHaveLength(2);
    expect(far.every(({ parents }) => parents.includes(easy.initials))).toBe(true);
    expect(candidates([...near, ...far]).map(({ rung }) => rung)).toEqual(['symptom', 'symptom', 'symptom']);
    const rungs = async (name: string, statementRung: 'line' | 'function' | 'contract') =>
      new Set(
        candidates(await refine({ name, task: withData(task, { statementRung }), others: Object.values(others) })).map(({ rung }) => rung),
      );
    expect(await rungs('combine-same-file', 'line')).toEqual(new Set(['file']));
    expect(await rungs('combine-same-file', 'function')).toEqual(new Set(['contract']));
    expect(await rungs('combine-across-files', 'contract')).toEqual(new Set(['contract']));
  });

  test('take only parts that are too easy, and none that touches the bug', async () => {
    const { contains: task, clamp, width } = easy;
    const middling = [clamp, width].map((part) => ({ ...part, posteriorMean: 0.7 }));
    expect(await refine({ name: 'combine-same-file', task, others: middling })).toEqual([]);
    expect(await refine({ name: 'combine-same-file', task: { ...task, posteriorMean: 0.6 }, others: [clamp] })).toEqual([]);
    expect(await refine({ name: 'combine-same-file', task, others: [task, { ...task }] })).toEqual([]);
  });

  test('aim at another band', async () => {
    const move = defaultMoves({ band: [0.05, 0.5] }).find(({ name }) => name === 'combine-same-file');
    const middling = [easy.clamp, easy.width].map((part) => ({ ...part, posteriorMean: 0.55 }));
    const sets: Refinement[] = [];
    for await (const set of move?.propose({ task: { ...easy.contains, posteriorMean: 0.6 }, others: middling, random: () => 0 }) ?? [])
      sets.push(set);
    expect(sets.map(({ parents }) => parents.length)).toEqual([2, 2, 3]);
  });

  test('are tasks of which every part breaks a test', async () => {
    const parts = [easy.contains, easy.clamp, easy.width].flatMap(({ draft }) => draft.data.verifier.failToPass);
    expect(new Set(combination.draft.data.verifier.failToPass)).toEqual(new Set(parts));
    expect(combination.draft.data.instruction).toMatch(/^Fix lib\/range\.js: expected /);
  });

  test('of two files are valid too', async () => {
    const [pair] = candidates(await refine({ name: 'combine-same-module', task: easy.contains, others: [easy.sum] }));
    if (pair === undefined) throw new Error('no combination');
    const common = { executor: createNodeTestExecutor(), limits: sampleLimits, random: () => 0.5, baselineRuns: 2, goldRuns: 0 };
    const result = await validateCandidate({ ...common, snapshot, candidate: pair.candidate, rung: pair.rung });
    if (result.status !== 'valid') throw new Error(result.detail);
    expect(result.draft.data.lineage).toMatchObject({ statementRung: 'symptom', parts: [easy.sum, easy.contains].map(idOf) });
    expect(result.draft.goldPatch.match(/^--- a\/.*$/gm)).toEqual(['--- a/lib/list.js', '--- a/lib/range.js']);
  });

  test('are split by dropping the part that was solved least alone', async () => {
    const { contains, clamp, width } = easy;
    const split = await refine({ name: 'split', task: combination, others: [contains, clamp, width] });
    expect(candidates(split).map(({ candidate }) => candidate.lineage.parts)).toEqual([
      [contains, clamp].map(idOf),
      [contains, width].map(idOf),
      [clamp, width].map(idOf),
    ]);
    expect(candidates(split)[2]).toMatchObject({ candidate: { lineage: { operator: 'combine-same-file', line: 10 } }, rung: 'file' });
    expect(await refine({ name: 'split', task: combination })).toHaveLength(3);
  });

  test('of two parts are not split, nor is any other task', async () => {
    const [pair] = candidates(await refine({ name: 'split', task: combination }));
    if (pair === undefined) throw new Error('no split');
    expect(await refine({ name: 'split', task: { ...combination, candidate: pair.candidate } })).toEqual([]);
    expect(await refine({ name: 'split', task: easy.contains })).toEqual([]);
  });
});

describe('moves of the bug', () => {
  test('widen makes the same mistake twice and no longer names one line', async () => {
    const task = withData(easy.contains, { statementRung: 'line' });
    const wider = await refine({ name: 'widen', task });
    expect(await agentText(wider[0])).toMatch(/value >= low && value < high[\s\S]*value <= low \?/);
    expect(candidates(wider)[0]?.rung).toBe('file');
    expect(await refine({ name: 'widen', task: combination })).toEqual([]);
  });

  test('deeper goes from a function into the one that it calls', async () => {
    const deeper = await refine({ name: 'deeper', task: easy.clamp });
    expect(candidates(deeper).map(({ candidate }) => candidate.lineage)).toEqual(
      deeper.map(() => ({ generator: 'refinement', operator: 'reverse-comparison', file: 'lib/range.js', line: 5 })),
    );
    expect(deeper).toHaveLength(2);
    expect(await refine({ name: 'deeper', task: easy.contains })).toEqual([]);
  });

  test('remove-body takes the whole function away, once, and where it is long enough', async () => {
    expect(await agentText((await refine({ name: 'remove-body', task: easy.clamp }))[0])).toContain(
      'function clamp(low, high, value) {\n  return null;\n}',
    );
    expect(await refine({ name: 'remove-body', task: easy.contains })).toEqual([]);
    expect(await refine({ name: 'remove-body', task: bodiless })).toEqual([]);
  });

  test('smaller puts other bugs into the same function, the smallest first, and none that is known', async () => {
    const smaller = await refine({ name: 'smaller', task: bodiless });
    const sizes = candidates(smaller).map(({ candidate: { edits } }) =>
      edits.reduce((sum, edit) => sum + ('text' in edit ? edit.end - edit.start + edit.text.length : 0), 0),
    );
    expect(sizes).toEqual([...sizes].sort((left, right) => left - right));
    expect(sizes[0]).toBe(2);
    expect(candidates(smaller).every(({ candidate: { lineage } }) => lineage.line >= 9 && lineage.line <= 12)).toBe(true);
    const rest = await refine({ name: 'smaller', task: bodiless, others: [easy.clamp] });
    expect(rest).toHaveLength(smaller.length - 1);
    expect(await refine({ name: 'smaller', task: easy.clamp })).toEqual([]);
  });
});

function idOf({ candidate }: MeasuredTask): string {
  return candidateIdOf({ snapshot, candidate });
}
