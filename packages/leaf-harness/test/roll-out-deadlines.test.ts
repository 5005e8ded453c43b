import type { Task } from '@tadpole/contracts';
import { describe, expect, it } from 'vitest';
import {
  answer,
  collect,
  door,
  forever,
  graderOf,
  ledger,
  policyOf,
  scored,
  start,
  taskOf,
  tick,
  untilAborted,
} from './rollout-fixture.js';

describe('a deadline', () => {
  const one = { tasks: [taskOf('a')], samplesPerTask: 1, attempts: 1 };
  const fast = { graceMs: 20 };

  it('of opening is a timeout of that phase, in a fresh try first, and frees the place', async () => {
    const { state, open } = ledger();
    const openSandbox = (task: Task) => (task.data.id === 'a' ? forever() : open());
    const ends = await collect(start({ openSandbox, concurrency: 1, samplesPerTask: 1, attempts: 2, deadlines: { ...fast, openMs: 20 } }));
    expect(ends.map(({ task, outcome }) => [task.data.id, outcome])).toEqual([
      ['a', expect.objectContaining({ status: 'unscored', reason: 'timeout', phase: 'open', boundary: 'sandbox' })],
      ['b', scored(1)],
    ]);
    expect(ends[0]?.failedAttempts).toEqual([
      expect.objectContaining({ stage: 'agent', detail: 'open: expected an end within 20 ms, during the phase open' }),
    ]);
    expect(state).toMatchObject({ opened: 1, disposed: 1 });
  });

  it('of opening disposes a sandbox that comes after all', async () => {
    const { state, open } = ledger();
    const { opened, open: come } = door();
    const [end] = await collect(start({ ...one, openSandbox: () => opened.then(open), deadlines: { ...fast, openMs: 10 } }));
    expect(end?.outcome).toMatchObject({ reason: 'timeout', phase: 'open' });
    come();
    for (let wait = 0; wait < 20; wait += 1) await tick();
    expect(state).toMatchObject({ opened: 1, disposed: 1 });
  });

  it('of the agent is a timeout that is not graded, keeps its cost and disposes the sandbox', async () => {
    const { state, open } = ledger();
    const openSandbox = async () => ({ ...(await open()), diff: forever });
    const grader = graderOf(() => Promise.reject(new Error('not expected')));
    const [end] = await collect(start({ ...one, openSandbox, grader, deadlines: { ...fast, agentMs: 50 } }));
    expect(end?.outcome).toMatchObject({ status: 'unscored', reason: 'timeout', phase: 'agent', boundary: 'harness' });
    expect(end?.usage).toEqual(answer.usage);
    expect(state).toMatchObject({ opened: 1, disposed: 1 });
  });

  it('of grading is a timeout of that phase, after as many tries as are allowed', async () => {
    let calls = 0;
    const grader = graderOf(({ signal }) => {
      calls += 1;
      return untilAborted(signal);
    });
    const [end] = await collect(start({ ...one, attempts: 3, grader, deadlines: { ...fast, gradeMs: 10 } }));
    expect(end?.outcome).toMatchObject({ status: 'unscored', reason: 'timeout', phase: 'grade', boundary: 'grader' });
    expect(calls).toBe(3);
    expect(end?.failedAttempts.map(({ stage }) => stage)).toEqual(['grading', 'grading']);
  });

  it('of all together ends a phase that has time of its own, and leaves none for another try', async () => {
    let ms = 0;
    const policy = policyOf(async () => {
      ms += 95;
      return answer;
    });
    const grader = graderOf(({ signal }) => {
      ms += 5;
      return untilAborted(signal);
    });
    const [end] = await collect(start({ ...one, attempts: 2, policy, grader, now: () => ms, deadlines: { ...fast, totalMs: 100 } }));
    expect(end?.outcome).toMatchObject({
      reason: 'timeout',
      phase: 'total',
      boundary: 'grader',
      detail: 'total: expected an end within 5 ms, during the phase grade',
    });
    expect(end?.failedAttempts).toEqual([]);
  });

  it('of disposing makes the rollout a failure of the sandbox that is not graded', async () => {
    const { open } = ledger();
    const grader = graderOf(() => Promise.reject(new Error('not expected')));
    const openSandbox = async () => ({ ...(await open()), dispose: forever });
    const [end] = await collect(start({ ...one, openSandbox, grader, deadlines: { disposeMs: 10 } }));
    expect(end?.outcome).toMatchObject({ reason: 'sandbox-failed', detail: expect.stringContaining('was not gone within 10 ms') });
  });

  it("does not replace the agent's own time, which ends it as max-time and is graded", async () => {
    const policy = policyOf(({ signal }) => untilAborted(signal));
    const [end] = await collect(start({ ...one, policy, limits: { wallTimeMs: 20 } }));
    expect(end?.trajectory.stopReason).toBe('max-time');
    expect(end?.outcome).toEqual(scored(1));
  });

  it('is refused when it is unknown', async () => {
    await expect(collect(start({ deadlines: { bootMs: 3 } as never }))).rejects.toMatchObject({ code: 'invalid-config' });
  });
});
