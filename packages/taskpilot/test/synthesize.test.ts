import { eventSchema, type Generator, TadpoleError, type TestExecutor } from '@tadpole/contracts';
import { describe, expect, it } from 'vitest';
import {
  createMutationGenerator,
  duplicateTaskOf,
  emptySynthesisState,
  mutationGenerators,
  parseSynthesisState,
  type Synthesis,
  type SynthesisEvent,
  type SynthesisOptions,
  synthesize,
  type TaskDraft,
} from '../src/index.js';
import { sampleBaseline, sampleLimits, sampleSnapshot } from './support/sample-project.js';
import { syntheticPolicy } from './support/synthetic-policy.js';
import { createNodeTestExecutor } from './support/test-executors.js';

/** Any edited tree fails the first test; which tests it is does not matter to the loop. */
const failing: TestExecutor = {
  async execute({ edits }) {
    const tests = sampleBaseline.map((item, index) =>
      index === 0 && edits.length > 0
        ? { ...item, status: 'failed' as const, kind: 'assertion' as const, expected: '1', observed: '2' }
        : item,
    );
    return { status: 'completed', tests, output: '', durationMs: 1 };
  },
};

type Settings = Partial<SynthesisOptions> & Pick<SynthesisOptions, 'policy'>;

function optionsOf(settings: Settings): SynthesisOptions {
  return {
    snapshots: [sampleSnapshot()],
    generators: mutationGenerators(),
    moves: [],
    executor: failing,
    limits: sampleLimits,
    baselineRuns: 2,
    goldRuns: 0,
    count: 3,
    seed: 1,
    budget: { rollouts: 2000 },
    quotas: { strategy: 1, repository: 1 },
    ...settings,
  };
}

async function finish(options: SynthesisOptions): Promise<Synthesis & { events: SynthesisEvent[] }> {
  const process = synthesize(options);
  const events: SynthesisEvent[] = [];
  for (;;) {
    const step = await process.next();
    if (step.done === true) return { ...step.value, events };
    events.push(step.value);
  }
}

/** Never more than an end by the signal, as an endpoint or a sandbox that hangs. */
function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new TadpoleError({ code: 'aborted', message: 'ended' })));
  });
}

const ofType = <Type extends SynthesisEvent['type']>(events: readonly SynthesisEvent[], type: Type) =>
  events.flatMap((event) => (event.type === type ? [event as Extract<SynthesisEvent, { type: Type }>] : []));
/** A rate that is spread over the tasks by their ids. */
const spread = ({ data }: TaskDraft) => Number.parseInt(data.id.slice(-4), 16) / 0xffff;

describe('synthesize', () => {
  it('admits tasks of a real suite whose measured solve rate lies in the band, with certificates that say so', async () => {
    const policy = syntheticPolicy({ rateOf: spread });
    const options = optionsOf({ policy, executor: createNodeTestExecutor(), band: [0.2, 0.8] });
    const { admitted, ended, events, rollouts } = await finish(options);
    expect(ended).toBe('count');
    expect(admitted).toHaveLength(3);
    for (const { draft, certificate, calibration } of admitted) {
      expect(certificate).toMatchObject({ taskId: draft.data.id, calibration: { weightsVersion: 'synthetic', band: [0.2, 0.8] } });
      expect(calibration.successes / calibration.trials).toBeGreaterThan(0.2);
      expect(calibration.successes / calibration.trials).toBeLessThan(0.8);
    }
    expect(policy.rolledOut).toHaveLength(rollouts);
    expect(new Set(policy.rolledOut).size).toBe(rollouts);
    expect(events.at(-1)).toMatchObject({ type: 'synthesis-end', admitted: 3, rollouts, unscored: 0 });
  });

  it('says of every validated task what became of it, once', async () => {
    for (const seed of [1, 2, 3]) {
      const { events, admitted } = await finish(optionsOf({ policy: syntheticPolicy({ rateOf: spread, seed }), seed, count: 8 }));
      const fates = [...admitted.map(({ draft }) => draft.data.id), ...ofType(events, 'candidate-discard').map(({ taskId }) => taskId)];
      const validated = ofType(events, 'candidate-validate').map(({ taskId }) => taskId);
      expect([...fates].sort()).toEqual([...validated].sort());
      expect(new Set(fates).size).toBe(fates.length);
    }
  });

  it('gives events of the contracts, their drafts left aside', async () => {
    const { events } = await finish(optionsOf({ policy: syntheticPolicy({ rateOf: spread, more: { costUsd: 0.01 } }) }));
    for (const event of events) {
      const { draft: _, ...body } = { draft: undefined, ...event };
      const { doubt: __, ...journaled } = { doubt: undefined, ...body };
      expect(() => eventSchema.parse({ ...journaled, at: '2026-01-01T00:00:00Z', iteration: 0 }), event.type).not.toThrow();
    }
  });

  it('depends on the seed alone, not on the concurrency or on the order in which rollouts end', async () => {
    const policy = syntheticPolicy({ rateOf: spread });
    const backwards: SynthesisOptions['policy'] = {
      weightsVersion: 'synthetic',
      async *rollOut(options) {
        const rollouts = [];
        for await (const rollout of policy.rollOut(options)) rollouts.unshift(rollout);
        yield* rollouts;
      },
    };
    const first = await finish(optionsOf({ policy, count: 6 }));
    const second = await finish(optionsOf({ policy: backwards, count: 6, concurrency: 5 }));
    expect(second.admitted).toEqual(first.admitted);
    expect(second.state).toEqual(first.state);
  });
});

describe('the budget of a synthesis', () => {
  const never = syntheticPolicy({ rateOf: () => 0, more: { costUsd: 0.5 } });

  it.each([
    ['rollouts', { rollouts: 20 }],
    ['dollars', { usd: 10 }],
    ['candidates', { candidates: 5 }],
    ['time', { wallTimeMs: 20_000 }],
  ])('ends it by %s', async (_, budget) => {
    let now = 0;
    const { ended, rollouts, costUsd } = await finish(optionsOf({ policy: never, budget, now: () => (now += 400), doubt: 1, parallel: 4 }));
    expect(ended).toBe('budget');
    expect(costUsd).toBeCloseTo(0.5 * rollouts);
    if ('rollouts' in budget) expect(rollouts).toBeLessThanOrEqual(20);
    if ('usd' in budget) expect(costUsd).toBeLessThan(10 + 4 * 2 * 0.5);
  });

  it('ends rollouts in flight when the time is over, and keeps what had ended', async () => {
    const policy: SynthesisOptions['policy'] = {
      weightsVersion: 'v0',
      async *rollOut({ requests, signal }) {
        const [taskId = ''] = requests.map(({ task }) => task.data.id);
        yield { taskId, outcome: { status: 'scored', reward: 1, components: {}, tests: [] } };
        yield await untilAborted(signal);
      },
    };
    const { ended, admitted, state, events } = await finish(optionsOf({ policy, budget: { wallTimeMs: 1000 }, doubt: 1 }));
    expect([ended, admitted]).toEqual(['budget', []]);
    expect(ofType(events, 'calibration-round')).toHaveLength(1);
    expect(state.bank.entries.flatMap(({ counts }) => counts)).toEqual([{ checkpoint: 0, successes: 1, trials: 1 }]);
    expect(parseSynthesisState(JSON.parse(JSON.stringify(state)))).toEqual(state);
  });

  it('ends a validation in flight when the time is over', async () => {
    const hanging: TestExecutor = { execute: async ({ signal }) => untilAborted(signal) };
    const { ended, rollouts, executions } = await finish(optionsOf({ policy: never, budget: { wallTimeMs: 300 }, executor: hanging }));
    expect([ended, rollouts]).toEqual(['budget', 0]);
    expect(executions).toBeGreaterThan(0);
  });

  it('says that it was ended by its signal when that fires in time', async () => {
    const hanging: TestExecutor = { execute: async ({ signal }) => untilAborted(signal) };
    const ending = finish(
      optionsOf({ policy: never, budget: { wallTimeMs: 60_000 }, executor: hanging, signal: AbortSignal.timeout(300) }),
    );
    await expect(ending).rejects.toMatchObject({ code: 'aborted' });
  });

  it('counts what is spent beside the rollouts', async () => {
    const { ended, costUsd, rollouts } = await finish(optionsOf({ policy: never, budget: { usd: 10 }, spentUsd: () => 10 }));
    expect([ended, costUsd, rollouts]).toEqual(['budget', 10, 0]);
  });

  it.each([
    ['no bound', {}, never],
    ['a negative bound', { rollouts: -1 }, never],
    ['dollars where a rollout has no price', { usd: 1 }, syntheticPolicy({ rateOf: () => 0.5 })],
  ])('refuses %s', async (_, budget, policy) => {
    await expect(finish(optionsOf({ policy, budget }))).rejects.toMatchObject({ code: 'invalid-config' });
  });
});

describe('refinement', () => {
  const easyWhenTold: SynthesisOptions['policy'] = syntheticPolicy({
    rateOf: ({ data }) => (data.lineage.statementRung === 'line' ? 0.97 : 0.5),
  });

  it('makes tasks that were too easy harder, under new ids, and has them take their parents place', async () => {
    const { moves: _, ...options } = optionsOf({ policy: easyWhenTold, executor: createNodeTestExecutor(), count: 1, parallel: 3 });
    const { admitted, events } = await finish(options);
    expect(admitted.length).toBeGreaterThan(0);
    const validated = new Map(ofType(events, 'candidate-validate').map((event) => [event.taskId, event]));
    const refined = admitted.filter(({ draft }) => (validated.get(draft.data.id)?.parents.length ?? 0) > 0);
    expect(refined.length).toBeGreaterThan(0);
    const discards = new Map(ofType(events, 'candidate-discard').map(({ taskId, reason }) => [taskId, reason]));
    for (const { draft } of refined) {
      const { parents = [], strategy } = validated.get(draft.data.id) ?? {};
      expect(parents).not.toContain(draft.data.id);
      expect(strategy).not.toMatch(/^mutation/);
      for (const parent of parents) expect(discards.get(parent)).toBe('refined');
    }
  });

  it('ends a lineage after two steps', async () => {
    const { moves: _, ...options } = optionsOf({ policy: syntheticPolicy({ rateOf: () => 0.9 }), count: 40, budget: { rollouts: 1500 } });
    const { events } = await finish(options);
    const steps = new Map<string, number>();
    for (const { taskId, parents } of ofType(events, 'candidate-validate')) {
      steps.set(taskId, parents.length === 0 ? 0 : 1 + Math.max(...parents.map((parent) => steps.get(parent) ?? Number.NaN)));
    }
    expect(Math.max(...steps.values())).toBe(2);
  });

  it('does not refine what was solved every time in at most three turns', async () => {
    const policy = syntheticPolicy({ rateOf: () => 1, more: { turns: 3 } });
    const { moves: _, ...options } = optionsOf({ policy, count: 3, doubt: 1 });
    const { events } = await finish(options);
    const reasons = new Set(ofType(events, 'candidate-discard').map(({ reason }) => reason));
    expect(reasons).toContain('trivial');
    expect(ofType(events, 'candidate-validate').every(({ parents }) => parents.length === 0)).toBe(true);
  });
});

describe('what no task may repeat', () => {
  const policy = syntheticPolicy({ rateOf: () => 0.5 });
  const reasonsOf = (events: readonly SynthesisEvent[]) =>
    ofType(events, 'candidate-discard').map(({ taskId, reason }) => [taskId, reason]);

  it('is a held-out task, an evaluation set, and an accepted task of an iteration before', async () => {
    const { admitted, state } = await finish(optionsOf({ policy, count: 2 }));
    const [first, second] = admitted.map(({ draft }) => draft) as [TaskDraft, TaskDraft];
    const heldOut = [duplicateTaskOf({ draft: first, enclosingFunction: null })];
    const held = await finish(optionsOf({ policy, count: 2, heldOut }));
    expect(reasonsOf(held.events)).toContainEqual([first.data.id, 'duplicate']);
    const records = [{ id: 'evaluation-1', patch: second.goldPatch }];
    const clean = await finish(optionsOf({ policy, count: 2, evaluationRecords: records }));
    expect(reasonsOf(clean.events)).toContainEqual([second.data.id, 'contaminated']);
    const next = await finish(optionsOf({ policy, count: 2, state, checkpoint: 1 }));
    expect(reasonsOf(next.events)).toContainEqual([first.data.id, 'duplicate']);
    expect(next.admitted.map(({ draft }) => draft.data.id)).not.toContain(first.data.id);
  });

  it('is a kind that has its share of the target mix', async () => {
    const mix = { repository: { 'sample@1.0.0': 1 }, operatorFamily: { constants: 1 }, patchSize: { tiny: 1 }, statementRung: { line: 1 } };
    const { admitted } = await finish(optionsOf({ policy, count: 4, mix }));
    const families = admitted.map(({ draft }) => draft.data.lineage.operator);
    expect(families.length).toBeGreaterThan(0);
    const { events } = await finish(optionsOf({ policy, count: 4, mix }));
    expect(new Set(reasonsOf(events).map(([, reason]) => reason))).toContain('mix');
  });
});

describe('the state of a synthesis', () => {
  it('goes through JSON, and an abler checkpoint is given what was too hard', async () => {
    const able = new Set<string>();
    const rateOf = ({ data }: TaskDraft) => (able.has(data.id) ? 0.5 : 0.15);
    const before = await finish(optionsOf({ policy: syntheticPolicy({ rateOf }), count: 4, budget: { rollouts: 300 }, doubt: 1 }));
    const state = parseSynthesisState(JSON.parse(JSON.stringify(before.state)));
    expect(state).toEqual(before.state);
    const parked = state.tasks.map(({ draft }) => draft.data.id);
    for (const id of parked) able.add(id);
    const silent = createMutationGenerator({ name: 'silent', accepts: () => false });
    const after = await finish(
      optionsOf({
        policy: syntheticPolicy({ rateOf, seed: 2 }),
        snapshots: [sampleSnapshot()],
        ...{ generators: [silent], count: 2, state, checkpoint: 1, reuse: { minProbabilityInBand: 0.05 } },
      }),
    );
    expect(after.admitted.length).toBeGreaterThan(0);
    for (const { draft } of after.admitted) expect(parked).toContain(draft.data.id);
    expect(ofType(after.events, 'candidate-validate')).toEqual([]);
    expect(after.state.tasks.map(({ draft }) => draft.data.id)).not.toContain(after.admitted[0]?.draft.data.id);
  });

  it('keeps what belongs to a snapshot that is not at hand', async () => {
    const before = await finish(
      optionsOf({ policy: syntheticPolicy({ rateOf: () => 0.1 }), count: 2, budget: { rollouts: 60 }, doubt: 1 }),
    );
    const other = sampleSnapshot({ source: 'other@1.0.0', hash: 'b'.repeat(64) });
    const policy = syntheticPolicy({ rateOf: () => 0.5 });
    const after = await finish(optionsOf({ policy, snapshots: [other], count: 1, state: before.state, checkpoint: 1 }));
    const ids = after.state.tasks.map(({ draft }) => draft.data.id);
    for (const { draft } of before.state.tasks) expect(ids).toContain(draft.data.id);
    for (const { candidate } of before.state.bank.entries)
      expect(after.state.bank.entries.map((entry) => entry.candidate.id)).toContain(candidate.id);
  });

  it('is refused when it is not one', () => {
    expect(() => parseSynthesisState({ version: 2 })).toThrow(/version 1/);
  });
});

it('gives up a strategy whose candidates were all offered before, and keeps its time where nothing can be offered', async () => {
  const [only] = (await finish(optionsOf({ policy: syntheticPolicy({ rateOf: () => 0.5 }), count: 1 }))).admitted;
  if (only === undefined) throw new Error('nothing to repeat');
  const { edits, data } = only.draft;
  const endless: Generator = {
    name: 'endless',
    async *propose() {
      for (;;) yield { edits, lineage: data.lineage };
    },
  };
  const policy = syntheticPolicy({ rateOf: () => 0.02 });
  const given = await finish(optionsOf({ policy, generators: [endless] }));
  expect(given).toMatchObject({ ended: 'exhausted', admitted: [] });
  expect(ofType(given.events, 'candidate-validate')).toHaveLength(1);
  let now = 0;
  const timed = await finish(optionsOf({ policy, generators: [endless], budget: { wallTimeMs: 40 }, now: () => now++ }));
  expect(timed.ended).toBe('budget');
  expect(now).toBeLessThan(100);
});

it('refuses candidates whose edits fit no snapshot, and goes on', async () => {
  const lineage = { generator: 'hostile', operator: 'x', file: 'lib/range.js', line: 1 };
  const files = ['/etc/passwd', '../outside.js', '.git/hooks/pre-commit', 'lib/absent.js', 'lib'];
  const hostile: Generator = {
    name: 'hostile',
    async *propose() {
      for (const file of files) yield { edits: [{ file, start: 0, end: 0, text: 'x' }], lineage };
      yield { edits: [{ file: 'lib/range.js', start: 5, end: 999_999, text: 'x' }], lineage };
      yield { edits: [0, 1].map((start) => ({ file: 'lib/range.js', start, end: 9, text: 'x' })), lineage };
    },
  };
  const { events, ended } = await finish(optionsOf({ policy: syntheticPolicy({ rateOf: spread }), generators: [hostile] }));
  expect(ended).toBe('exhausted');
  expect(ofType(events, 'candidate-refuse').map(({ reason }) => reason)).toEqual(new Array(files.length + 2).fill('malformed'));
});

it.each([
  ['another version', { version: 2 }],
  ['no bank', { ...emptySynthesisState(), bank: undefined }],
  [
    'more successes than trials',
    { ...emptySynthesisState(), effects: { children: [{ move: 'm', parents: [], successes: 3, trials: 1 }] } },
  ],
])('refuses a state with %s', async (_, state) => {
  const process = finish(optionsOf({ policy: syntheticPolicy({ rateOf: spread }), state: state as never }));
  await expect(process).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringContaining('state that synthesize returned'),
  });
});

it('takes a bank whose tasks were lost, and hands on one that the next call takes', async () => {
  const policy = syntheticPolicy({ rateOf: () => 0.1 });
  const before = await finish(optionsOf({ policy, count: 2, budget: { rollouts: 60 }, doubt: 1 }));
  const after = await finish(
    optionsOf({ policy, count: 2, budget: { rollouts: 60 }, doubt: 1, state: { ...before.state, tasks: [] }, checkpoint: 1 }),
  );
  const ids = after.state.bank.entries.map(({ candidate }) => candidate.id);
  expect(new Set(ids).size).toBe(ids.length);
});

it.each([Number.NaN, -1, Infinity])('refuses a rollout that costs %s dollars', async (costUsd) => {
  const policy = syntheticPolicy({ rateOf: spread, more: { costUsd } });
  await expect(finish(optionsOf({ policy, budget: { usd: 1 } }))).rejects.toMatchObject({ code: 'invalid-input' });
});

it('refuses strategies of one name', async () => {
  const generators = [createMutationGenerator(), createMutationGenerator()];
  await expect(finish(optionsOf({ policy: syntheticPolicy({ rateOf: spread }), generators }))).rejects.toMatchObject({
    code: 'invalid-config',
  });
});

it('stops when it is aborted, and leaves no execution running', async () => {
  const controller = new AbortController();
  let running = 0;
  const executor: TestExecutor = {
    async execute(run) {
      running++;
      try {
        return await failing.execute(run);
      } finally {
        running--;
      }
    },
  };
  const process = synthesize(optionsOf({ policy: syntheticPolicy({ rateOf: () => 0.1 }), executor, count: 50, signal: controller.signal }));
  await process.next();
  controller.abort();
  await expect(
    (async () => {
      for await (const _ of process);
    })(),
  ).rejects.toMatchObject({ code: 'aborted' });
  expect(running).toBe(0);
});
