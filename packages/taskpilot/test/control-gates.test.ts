import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bothChanges } from '../src/validate/both-changes.js';
import { changedLines } from '../src/validate/changed-lines.js';
import type { SolvedVariants } from '../src/validate/control-gates.js';
import { type ValidationSettings, validateCandidate } from '../src/validate/validate-candidate.js';
import { replaceInSample, sampleLimits, sampleSnapshot } from './support/sample-project.js';
import { createNodeTestExecutor } from './support/test-executors.js';

const bug = replaceInSample({ before: 'value <= high', after: 'value < high' });
const variants =
  (...replacements: readonly string[]): SolvedVariants =>
  async ({ text }) =>
    replacements.map((replacement) => text.replace('value >= low && value <= high', replacement));

async function validate(controls: ValidationSettings['controls'], options: Partial<ValidationSettings> = {}) {
  const executor = createNodeTestExecutor();
  const settings = { executor, limits: sampleLimits, baselineRuns: 3, controls, ...options };
  const result = await validateCandidate({ ...settings, snapshot: sampleSnapshot(), candidate: bug, random: () => 0 });
  const gates = result.status === 'valid' ? result.draft.gates : result.gates;
  return { result, gate: (name: string) => gates.find((gate) => gate.name === name), runs: executor.runs() };
}

describe('wrong fixes', () => {
  test('that the tests notice let the candidate pass, two being enough', async () => {
    const { result, gate, runs } = await validate({
      wrongFixes: variants('value > low && value <= high', 'value >= low || value <= high', 'value <= high', 'true'),
    });
    expect(result.status).toBe('valid');
    expect(gate('wrong-fixes-fail')?.evidence.wrongFixes).toEqual([
      { outcome: 'failed test/range.test.js::holds its ends', patch: expect.stringContaining('+  return value > low && value <= high;') },
      {
        outcome: 'failed test/range.test.js::holds nothing outside',
        patch: expect.stringContaining('-  return value >= low && value < high;'),
      },
    ]);
    expect(runs).toBe(5);
  });

  test('that the tests let through refuse the candidate, without a run that could not change it', async () => {
    const { result, gate, runs } = await validate({
      wrongFixes: variants(
        '(value >= low) && value <= high',
        'value >= low && (value <= high)',
        'value >= low && value <= high && true',
        'false',
      ),
    });
    expect(result).toMatchObject({ status: 'refused', reason: 'weak-tests' });
    const passed = { outcome: 'passed' };
    expect(result).toMatchObject({ detail: '1 of 4 wrong fixes were noticed' });
    expect(gate('wrong-fixes-fail')?.evidence.wrongFixes).toMatchObject([
      { outcome: expect.stringMatching(/^failed/) },
      passed,
      passed,
      passed,
    ]);
    // two of the agent's tree, one of the restored one, one of the near file for each, and one of the other file for three
    expect(runs).toBe(10);
  });

  test('are not asked for where the lines have none, and the bug itself is not one', async () => {
    const { result, gate } = await validate({ wrongFixes: variants('value >= low && value < high') });
    expect(result.status).toBe('valid');
    expect(gate('wrong-fixes-fail')?.evidence).toEqual({ wrongFixes: [] });
  });

  test('that end the process or do not end count as noticed', async () => {
    const { gate } = await validate({ wrongFixes: variants('process.exit(0)', '(() => { throw new RangeError(); })()') });
    expect(gate('wrong-fixes-fail')).toMatchObject({ passed: true });
  });
});

describe('right fixes in another form', () => {
  test('let the candidate pass when all of them pass', async () => {
    const { result, gate } = await validate({ otherFixes: variants('low <= value && high >= value', '!(value < low || value > high)') });
    expect(result.status).toBe('valid');
    expect(gate('other-fixes-pass')?.evidence.otherFixes).toHaveLength(2);
  });

  test('refuse the candidate when one of them fails', async () => {
    const { result } = await validate({ otherFixes: variants('low <= value && high >= value', 'value >= low && value <= high - 0.5') });
    expect(result).toMatchObject({ status: 'refused', reason: 'over-tight-tests', detail: expect.stringContaining('holds its ends') });
  });

  test('name the one that fails of two that ran together', async () => {
    const { result, gate } = await validate({
      otherFixes: variants('low <= value && value <= high', 'value >= low && value <= high - 0.5'),
    });
    expect(result).toMatchObject({ status: 'refused', reason: 'over-tight-tests' });
    expect(gate('other-fixes-pass')?.evidence.patch).toContain('high - 0.5');
  });
});

describe('where it is known which test files reach the changed lines', () => {
  const testFilesFor = () => ['test/range.test.js'];
  const all = ['test/range.test.js', 'test/list.test.js'];

  test('a wrong fix that they let through is run in the others alone; right ones run them alone, and together where they do not touch', async () => {
    const unnoticed = ['(value >= low) && value <= high', 'value >= low && (value <= high)'];
    const right = { otherFixes: variants('low <= value && high >= value') };
    const filesOf = async (controls: ValidationSettings['controls'], options: Partial<ValidationSettings>) => {
      const executor = createNodeTestExecutor();
      const asked: (readonly string[] | undefined)[] = [];
      const watching: ValidationSettings['executor'] = {
        execute(run) {
          asked.push(run.testFiles);
          return executor.execute(run);
        },
      };
      await validate(controls, { executor: watching, ...options });
      // after two runs of the agent's tree and one of the restored one
      return asked.slice(3);
    };
    const [near, other] = all as [string, string];
    expect(await filesOf({ wrongFixes: variants(...unnoticed) }, { testFilesFor })).toEqual([[near]]);
    expect(await filesOf({ wrongFixes: variants(...unnoticed) }, {})).toEqual([[near], [near], [other]]);
    expect(await filesOf(right, { testFilesFor })).toEqual([[near]]);
    expect((await filesOf(right, {})).map((files) => files?.length)).toEqual([2]);
    const overlapping = { otherFixes: variants('low <= value && high >= value', '!(value < low || value > high)') };
    expect(await filesOf(overlapping, {})).toHaveLength(2);
    const apart = { otherFixes: variants('low <= value && value <= high', 'value >= low && high >= value') };
    expect(await filesOf(apart, {})).toHaveLength(1);
  });
});

test('changed lines are those between the first and the last that differ, at least one', () => {
  const lines = (text: string) => text.split('').join('\n');
  expect(changedLines({ before: lines('abcde'), after: lines('abxde') })).toEqual({ start: 3, end: 3 });
  expect(changedLines({ before: lines('abcde'), after: lines('axcyzde') })).toEqual({ start: 2, end: 5 });
  expect(changedLines({ before: lines('abc'), after: lines('ac') })).toEqual({ start: 2, end: 2 });
  expect(changedLines({ before: lines('aa'), after: lines('aaa') })).toEqual({ start: 3, end: 3 });
  expect(changedLines({ before: '', after: lines('abc') })).toEqual({ start: 1, end: 3 });
});

test('two changes of a text are made together only where they do not touch', () => {
  expect(bothChanges({ base: 'abcdef', one: 'aXcdef', other: 'abcdYf' })).toBe('aXcdYf');
  expect(bothChanges({ base: 'abcdef', one: 'abcdYYf', other: 'acdef' })).toBe('acdYYf');
  expect(bothChanges({ base: 'abcdef', one: 'aXcdef', other: 'abYdef' })).toBeNull();
  expect(bothChanges({ base: 'abcdef', one: 'XbcdeX', other: 'abYdef' })).toBeNull();
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (base, one, other) => {
      const both = bothChanges({ base, one, other });
      if (both !== null) expect(both.length).toBe(one.length + other.length - base.length);
      expect(both).toBe(bothChanges({ base, one: other, other: one }));
    }),
  );
});
