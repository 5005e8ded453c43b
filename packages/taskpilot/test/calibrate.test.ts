import type { Outcome } from '@tadpole/contracts';
import { expect, test } from 'vitest';
import { type CalibrationEvent, type CalibrationSummary, calibrate } from '../src/calibrate/calibrate.js';
import { fixedRule } from '../src/calibrate/decision-rule.js';
import { decisionTable } from '../src/calibrate/decision-table.js';
import { evaluateRule } from '../src/calibrate/evaluate-rule.js';
import { betaPrior } from '../src/calibrate/grid-prior.js';
import type { RolloutRequest } from '../src/calibrate/measure-wave.js';
import { seededRandom } from '../src/seeded-random.js';

const scored = (reward: number): Outcome => ({ status: 'scored', reward, components: {}, tests: [] });
const unscored: Outcome = { status: 'unscored', reason: 'sandbox-failed', boundary: 'sandbox', detail: 'no sandbox' };

/** Yields the outcome of each requested sample, last task first, and keeps the requests. */
function scriptedRollOut(outcomes: Readonly<Record<string, readonly Outcome[]>>) {
  const rounds: Record<string, readonly number[]>[] = [];
  async function* rollOut({ requests }: { requests: readonly RolloutRequest<{ id: string }>[] }) {
    rounds.push(Object.fromEntries(requests.map(({ task, samples }) => [task.id, samples])));
    for (const { task, samples } of [...requests].reverse()) {
      for (const sample of samples) {
        const outcome = outcomes[task.id]?.[sample];
        if (outcome === undefined) throw new Error(`Unexpected sample ${sample} of ${task.id}.`);
        yield { taskId: task.id, outcome };
      }
    }
  }
  return { rounds, rollOut };
}

async function finish(process: AsyncGenerator<CalibrationEvent, CalibrationSummary>) {
  const events: CalibrationEvent[] = [];
  for (;;) {
    const step = await process.next();
    if (step.done === true) return { events, summary: step.value };
    events.push(step.value);
  }
}

const tasks = [{ id: 'easy' }, { id: 'middle' }, { id: 'hard' }];
const [one, zero] = [scored(1), scored(0)];

test('asks for all undecided tasks in one call a round and stops each as soon as the rule does', async () => {
  const { rounds, rollOut } = scriptedRollOut({
    easy: [one, one, one, one],
    middle: [one, zero, one, zero, zero, one],
    hard: [zero, zero, zero, zero],
  });
  const { events, summary } = await finish(calibrate({ tasks, rule: decisionTable(), rollOut }));
  expect(rounds).toEqual([
    { easy: [0, 1], middle: [0, 1], hard: [0, 1] },
    { easy: [2, 3], middle: [2, 3], hard: [2, 3] },
    { middle: [4, 5] },
  ]);
  expect(summary.results.map(({ taskId, verdict, successes, trials }) => [taskId, verdict, successes, trials])).toEqual([
    ['easy', 'too-easy', 4, 4],
    ['middle', 'in-band', 3, 6],
    ['hard', 'too-hard', 0, 4],
  ]);
  expect([summary.rollouts, summary.rounds]).toEqual([14, 3]);
  expect(events.filter(({ type }) => type === 'candidate-calibrate')).toHaveLength(3);
});

test('an unscored rollout is no failure: it is drawn again under a new number', async () => {
  const { rounds, rollOut } = scriptedRollOut({ easy: [one, unscored, one, unscored, one, one] });
  const { summary } = await finish(calibrate({ tasks: [{ id: 'easy' }], rule: decisionTable(), rollOut }));
  expect(rounds).toEqual([{ easy: [0, 1] }, { easy: [2, 3] }, { easy: [4, 5] }]);
  expect(summary.results[0]).toMatchObject({ verdict: 'too-easy', successes: 4, trials: 4, unscored: 2 });
  expect(summary.rollouts).toBe(6);
});

test('a task with too many unscored rollouts is undecided', async () => {
  const { rollOut } = scriptedRollOut({ hard: [unscored, unscored, zero, unscored] });
  const { summary } = await finish(calibrate({ tasks: [{ id: 'hard' }], rule: decisionTable(), rollOut, maxUnscored: 2 }));
  expect(summary.results[0]).toMatchObject({ verdict: 'undecided', successes: 0, trials: 1, unscored: 3 });
});

test('a part of the reward is no success unless the caller says so', async () => {
  const half = [scored(0.5), scored(0.5), scored(0.5), scored(0.5)];
  const rule = fixedRule({ trials: 4, accept: [1, 3] });
  const strict = await finish(calibrate({ tasks: [{ id: 'a' }], rule, rollOut: scriptedRollOut({ a: half }).rollOut }));
  expect(strict.summary.results[0]?.successes).toBe(0);
  const lenient = calibrate({
    tasks: [{ id: 'a' }],
    rule,
    rollOut: scriptedRollOut({ a: half }).rollOut,
    isSuccess: ({ reward }) => reward > 0,
  });
  expect((await finish(lenient)).summary.results[0]?.successes).toBe(4);
});

test('refuses outcomes that were not asked for and outcomes that are missing', async () => {
  const rule = decisionTable();
  const foreign = async function* () {
    yield { taskId: 'other', outcome: one };
  };
  const silent = async function* () {};
  for (const rollOut of [foreign, silent]) {
    await expect(finish(calibrate({ tasks: [{ id: 'a' }], rule, rollOut }))).rejects.toMatchObject({ code: 'invalid-input' });
  }
  await expect(finish(calibrate({ tasks: [{ id: 'a' }, { id: 'a' }], rule, rollOut: silent }))).rejects.toMatchObject({
    code: 'invalid-input',
  });
});

test('ends with code aborted when its signal fires', async () => {
  const controller = new AbortController();
  const rollOut = async function* ({ requests }: { requests: readonly RolloutRequest<{ id: string }>[] }) {
    controller.abort();
    for (const { task, samples } of requests) for (const _ of samples) yield { taskId: task.id, outcome: one };
  };
  await expect(
    finish(calibrate({ tasks: [{ id: 'a' }], rule: decisionTable(), rollOut, signal: controller.signal })),
  ).rejects.toMatchObject({ code: 'aborted' });
});

test('on a simulated policy the measured cost and acceptance agree with the exact lattice', async () => {
  const random = seededRandom(11);
  const { rates, weights } = betaPrior();
  const cumulative = weights.map((_, index) => weights.slice(0, index + 1).reduce((sum, weight) => sum + weight, 0));
  const drawRate = () => {
    const draw = random();
    return rates[cumulative.findIndex((share) => draw < share)] ?? 0.5;
  };
  const rated = Array.from({ length: 3000 }, (_, index) => ({ id: `t${index}`, rate: drawRate() }));
  const rule = decisionTable({ wave: 2 });
  const { summary } = await finish(
    calibrate({
      tasks: rated,
      rule,
      async *rollOut({ requests }) {
        for (const { task, samples } of requests)
          for (const _ of samples) yield { taskId: task.id, outcome: random() < task.rate ? one : zero };
      },
    }),
  );
  const exact = evaluateRule({ rule, wave: 2 });
  // Four standard errors: trials spread by about 2.6, acceptance is a proportion.
  expect(Math.abs(summary.rollouts / 3000 - exact.expectedTrials)).toBeLessThan((4 * 2.6) / Math.sqrt(3000));
  const accepted = summary.results.filter(({ verdict }) => verdict === 'in-band').length;
  expect(Math.abs(accepted / 3000 - exact.acceptRate)).toBeLessThan(4 * Math.sqrt((0.23 * 0.77) / 3000));
});
