import type { Outcome } from '@tadpole/contracts';
import { expect, test } from 'vitest';
import {
  type CalibrationCandidate,
  type CandidateSource,
  calibrateIteration,
  candidatePool,
  constantPrior,
  decisionTable,
  emptyBank,
  fixedRule,
  type IterationEvent,
  type IterationOptions,
  logitNormalPrior,
  parseBank,
  seededRandom,
  uniformChooser,
} from '../src/index.js';

const scored = (reward: number): Outcome => ({ status: 'scored', reward, components: {}, tests: [] });
const unscored: Outcome = { status: 'unscored', reason: 'sandbox-failed', boundary: 'sandbox', detail: 'no sandbox' };

/** A task's rate stands in its id: `name:0.5`. */
const rateOf = ({ id }: CalibrationCandidate) => Number(id.split(':')[1]);

function pool(options: { strategies: Readonly<Record<string, number>>; each: number; repositories?: number }): CalibrationCandidate[] {
  const { strategies, each, repositories = 5 } = options;
  return Object.entries(strategies).flatMap(([strategy, rate]) =>
    Array.from({ length: each }, (_, index) => ({ id: `${strategy}-${index}:${rate}`, strategy, repository: `r${index % repositories}` })),
  );
}

function drawingRollOut(seed: number | string, requests: string[] = []): IterationOptions['rollOut'] {
  const random = seededRandom(seed);
  return async function* ({ requests: asked }) {
    for (const { task, samples } of asked) {
      for (const sample of samples) {
        requests.push(`${task.id} ${sample}`);
        yield { taskId: task.id, outcome: scored(random() < rateOf(task) ? 1 : 0) };
      }
    }
  };
}

async function run(options: IterationOptions) {
  const process = calibrateIteration(options);
  const events: IterationEvent[] = [];
  for (;;) {
    const step = await process.next();
    if (step.done === true) return { events, summary: step.value };
    events.push(step.value);
  }
}

const verdicts = (events: readonly IterationEvent[]) => events.flatMap((event) => (event.type === 'candidate-calibrate' ? [event] : []));
const four = { hard: 0.02, middle: 0.5, near: 0.45, easy: 0.98 };

test('admits the wanted number, keeps the quotas, and asks for each sample of a task once', async () => {
  const requests: string[] = [];
  const candidates = pool({ strategies: { a: 0.4, b: 0.45, c: 0.5, d: 0.55, e: 0.6, hard: 0.02 }, each: 200 });
  const { events, summary } = await run({ source: candidatePool(candidates), rollOut: drawingRollOut(1, requests), count: 20, seed: 1 });
  expect(summary.ended).toBe('count');
  expect(summary.admitted).toHaveLength(20);
  const shares = (key: 'strategy' | 'repository') => {
    const counts = new Map<string, number>();
    for (const { candidate } of summary.admitted) counts.set(candidate[key], (counts.get(candidate[key]) ?? 0) + 1);
    return Math.max(...counts.values());
  };
  expect(shares('strategy')).toBeLessThanOrEqual(5);
  expect(shares('repository')).toBeLessThanOrEqual(4);
  expect(new Set(requests).size).toBe(requests.length);
  expect(summary.rollouts).toBe(requests.length);
  expect(verdicts(events).filter(({ admitted }) => admitted)).toHaveLength(20);
});

test('the same inputs and seed give the same events and bank, whatever the order of the outcomes', async () => {
  const settings = () => ({
    source: candidatePool(pool({ strategies: four, each: 60 })),
    count: 8,
    seed: 'a',
    quotas: { strategy: 1, repository: 1 },
  });
  const rolled = (reversed: boolean): IterationOptions['rollOut'] =>
    async function* ({ requests }) {
      const outcomes = requests.flatMap(({ task, samples }) =>
        samples.map((sample) => ({ taskId: task.id, outcome: scored(seededRandom(`${task.id} ${sample}`)() < rateOf(task) ? 1 : 0) })),
      );
      yield* reversed ? outcomes.reverse() : outcomes;
    };
  const first = await run({ ...settings(), rollOut: rolled(false) });
  expect(await run({ ...settings(), rollOut: rolled(true) })).toEqual(first);
  expect(await run({ ...settings(), rollOut: rolled(false), seed: 'b' })).not.toEqual(first);
});

test('a candidate whose prior is hopeless costs no rollout', async () => {
  const prior = constantPrior(logitNormalPrior({ mean: 5, spread: 0.5 }));
  const rollOut = drawingRollOut(1);
  const source = () => candidatePool(pool({ strategies: { easy: 0.99 }, each: 30 }));
  const sure = await run({ source: source(), rollOut, count: 1, seed: 1, priors: prior, doubt: 0 });
  expect(sure.summary).toMatchObject({ rollouts: 0, candidates: 30, ended: 'exhausted', admitted: [] });
  expect(verdicts(sure.events).every(({ verdict, trials }) => verdict === 'too-easy' && trials === 0)).toBe(true);
  const doubting = await run({ source: source(), rollOut, count: 1, seed: 1, priors: prior, doubt: 1 });
  expect(doubting.summary.rollouts).toBeGreaterThanOrEqual(60);
});

test('only scored rollouts count, and a task with too many unscored ones is undecided', async () => {
  let rounds = 0;
  const rollOut: IterationOptions['rollOut'] = async function* ({ requests }) {
    rounds++;
    for (const { task, samples } of requests) for (const _ of samples) yield { taskId: task.id, outcome: unscored };
  };
  const { events, summary } = await run({
    source: candidatePool(pool({ strategies: { middle: 0.5 }, each: 1 })),
    rollOut,
    count: 1,
    seed: 1,
    maxUnscored: 3,
  });
  expect(verdicts(events)).toMatchObject([{ verdict: 'undecided', trials: 0, unscored: 4, admitted: false }]);
  expect(summary.bank.entries).toMatchObject([{ counts: [], admittedAt: null }]);
  expect(rounds).toBe(2);
});

test('stops at its budget of rollouts and of candidates, and keeps what was measured', async () => {
  const source = () => candidatePool(pool({ strategies: four, each: 50 }));
  const { summary } = await run({ source: source(), rollOut: drawingRollOut(2), count: 50, seed: 1, budget: { rollouts: 31 } });
  expect(summary.ended).toBe('budget');
  expect(summary.rollouts).toBeLessThanOrEqual(31);
  const written = summary.bank.entries.flatMap(({ counts }) => counts.map(({ trials }) => trials));
  expect(written.reduce((sum, trials) => sum + trials, 0)).toBe(summary.rollouts);
  const few = await run({ source: source(), rollOut: drawingRollOut(2), count: 50, seed: 1, budget: { candidates: 7 } });
  expect(few.summary).toMatchObject({ ended: 'budget', candidates: 7 });
});

test('parks a candidate of a full repository in the bank', async () => {
  const candidates = pool({ strategies: { a: 0.5, b: 0.5 }, each: 40, repositories: 1 }).map((candidate, index) => ({
    ...candidate,
    repository: index % 2 ? 'one' : 'two',
  }));
  const { events, summary } = await run({
    source: candidatePool(candidates.map((candidate) => ({ ...candidate, repository: 'one' }))),
    rollOut: drawingRollOut(3),
    count: 4,
    seed: 1,
    quotas: { strategy: 1, repository: 0.2 },
  });
  expect(summary.admitted).toHaveLength(4);
  expect(events.some(({ type }) => type === 'candidate-park')).toBe(false);
  const two = await run({
    source: candidatePool(
      [...candidates, { id: 'last:0.5', strategy: 'a', repository: 'two' }].filter(
        ({ repository }, index) => repository === 'one' || index > 70,
      ),
    ),
    rollOut: drawingRollOut(3),
    count: 8,
    seed: 1,
    quotas: { strategy: 1, repository: 0.2 },
  });
  const parked = two.events.flatMap((event) => (event.type === 'candidate-park' ? [event.taskId] : []));
  expect(parked.length).toBeGreaterThan(0);
  expect(two.summary.bank.entries.filter(({ candidate }) => parked.includes(candidate.id)).every(({ counts }) => counts.length === 0)).toBe(
    true,
  );
});

test('at the next checkpoint anchors tell the gain, and tasks that were a little too hard are admitted from the bank', async () => {
  const candidates = pool({ strategies: { a: 0.2, b: 0.25, c: 0.15, d: 0.3 }, each: 150 });
  const first = await run({
    source: candidatePool(candidates),
    rollOut: drawingRollOut(4),
    count: 60,
    seed: 1,
    budget: { candidates: 300 },
    quotas: { strategy: 1, repository: 1 },
  });
  const gain = Math.log(4);
  const abler: IterationOptions['rollOut'] = (options) =>
    drawingRollOut(`5 ${options.requests[0]?.samples[0]}`)({
      ...options,
      requests: options.requests.map(({ task, samples }) => {
        const odds = (rateOf(task) / (1 - rateOf(task))) * Math.exp(gain);
        return { task: { ...task, id: `${task.id.split(':')[0]}:${odds / (1 + odds)}:${task.id}` }, samples };
      }),
    });
  const rollOut: IterationOptions['rollOut'] = async function* (options) {
    for await (const { taskId, outcome } of abler(options)) yield { taskId: taskId.split(':').slice(2).join(':'), outcome };
  };
  const bank = parseBank(JSON.parse(JSON.stringify(first.summary.bank)));
  const second = await run({
    source: candidatePool([]),
    rollOut,
    count: 20,
    seed: 2,
    checkpoint: 1,
    bank,
    reuse: { anchors: 40 },
    quotas: { strategy: 1, repository: 1 },
  });
  const shift = second.events.find((event) => event.type === 'checkpoint-shift');
  expect(shift?.type === 'checkpoint-shift' && Math.abs(shift.shift - gain) < 3 * shift.standardError).toBe(true);
  expect(second.summary.admitted).toHaveLength(20);
  expect(second.summary.rollouts).toBeLessThan(20 * 20);
  expect(verdicts(second.events).every(({ origin }) => origin === 'bank')).toBe(true);
  const before = new Set(first.summary.admitted.map(({ candidate }) => candidate.id));
  expect(second.summary.admitted.some(({ candidate }) => before.has(candidate.id))).toBe(false);
  expect(second.summary.bank.checkpoints).toHaveLength(2);
});

test('takes fixed rules and a uniform choice as well', async () => {
  const { summary, events } = await run({
    source: candidatePool(pool({ strategies: four, each: 40 })),
    rollOut: drawingRollOut(6),
    count: 6,
    seed: 1,
    quotas: { strategy: 1, repository: 1 },
    priors: constantPrior(),
    ruleFor: () => fixedRule({ trials: 8, accept: [3, 5] }),
    chooser: uniformChooser({ random: seededRandom(1) }),
  });
  expect(summary.admitted).toHaveLength(6);
  expect(verdicts(events).every(({ trials }) => trials === 8)).toBe(true);
});

test.each([
  [
    'a repeated id',
    [
      { id: 'x:0', strategy: 's', repository: 'r' },
      { id: 'x:0', strategy: 's', repository: 'r' },
    ],
    {},
  ],
  ['an empty id', [{ id: '', strategy: 's', repository: 'r' }], {}],
  [
    'a bank of a later checkpoint',
    [],
    {
      bank: {
        ...emptyBank(),
        checkpoints: [
          { ability: 0, standardError: 0 },
          { ability: 0, standardError: 0 },
        ],
      },
    },
  ],
])('refuses %s', async (_, candidates, more) => {
  const process = run({ source: candidatePool(candidates), rollOut: drawingRollOut(1), count: 1, seed: 1, ...more });
  await expect(process).rejects.toMatchObject({ code: 'invalid-input' });
});

test('refuses a wave that is no count', async () => {
  await expect(run({ source: candidatePool([]), rollOut: drawingRollOut(1), count: 1, seed: 1, wave: 0 })).rejects.toMatchObject({
    code: 'invalid-config',
  });
});

test('ends with code aborted when its signal fires', async () => {
  const controller = new AbortController();
  const rollOut: IterationOptions['rollOut'] = (options) => {
    controller.abort();
    return drawingRollOut(1)(options);
  };
  const source = candidatePool(pool({ strategies: four, each: 5 }));
  await expect(
    run({ source, rollOut, count: 5, seed: 1, ruleFor: (prior) => decisionTable({ prior }), signal: controller.signal }),
  ).rejects.toMatchObject({ code: 'aborted' });
});

test('passes on what the source says, and asks again a strategy that is ready again', async () => {
  const [first, second] = pool({ strategies: { middle: 0.5 }, each: 2 }) as [CalibrationCandidate, CalibrationCandidate];
  let given = 0;
  const source: CandidateSource<{ readonly type: 'said'; readonly given: number }> = {
    strategies: ['middle'],
    repositories: ['r0', 'r1'],
    // The second is ready once the first has been measured.
    isReady: () => given === 0 || (given === 1 && concluded),
    async *next() {
      yield { type: 'said', given };
      return [first, second][given++] ?? null;
    },
  };
  let concluded = false;
  const process = calibrateIteration({
    source,
    rollOut: drawingRollOut(1),
    count: 2,
    seed: 1,
    ruleFor: () => fixedRule({ trials: 2, accept: [0, 2] }),
  });
  const types: string[] = [];
  for await (const event of process) {
    types.push(event.type);
    concluded ||= event.type === 'candidate-calibrate';
  }
  expect(types).toEqual(['said', 'calibration-round', 'candidate-calibrate', 'said', 'calibration-round', 'candidate-calibrate']);
});

test('admits nothing that is spoken against, and ends when its budget says that it is spent', async () => {
  const source = candidatePool(pool({ strategies: { middle: 0.5 }, each: 30 }));
  const ruleFor = () => fixedRule({ trials: 2, accept: [0, 2] as const });
  const base = { source, rollOut: drawingRollOut(1), count: 5, seed: 1, ruleFor };
  let left = 3;
  const { summary } = await run({
    ...base,
    parallel: 4,
    mayAdmit: ({ id }) => id !== 'middle-0:0.5',
    budget: { isSpent: () => left-- < 0 },
  });
  expect(summary.ended).toBe('budget');
  expect(summary.rollouts).toBe(0);
  const refused = await run({ ...base, count: 4, mayAdmit: ({ repository }) => repository !== 'r1' });
  const admitted = refused.summary.admitted.map(({ candidate }) => candidate.repository);
  expect(admitted).toHaveLength(4);
  expect(admitted).not.toContain('r1');
  expect(verdicts(refused.events).some(({ verdict, repository }) => verdict === 'in-band' && repository === 'r1')).toBe(true);
});
