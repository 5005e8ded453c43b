import { type Outcome, TadpoleError, type Task } from '@tadpole/contracts';
import { describe, expect, it } from 'vitest';
import type { RolloutEnd } from '../src/index.js';
import { answer, collect, graderOf, ledger, policyOf, start, taskOf, untilAborted } from './rollout-fixture.js';

const unscored = (reason: 'grader-failed' | 'task-invalid'): Outcome => ({
  status: 'unscored',
  reason,
  boundary: 'grader',
  detail: reason,
});

describe('an infrastructure failure', () => {
  const one = { tasks: [taskOf('a')], samplesPerTask: 1 };
  const failing = (code: 'policy' | 'sandbox') => () => Promise.reject(new TadpoleError({ code, message: 'down' }));

  it('of the policy is tried once more in a fresh sandbox and its cost is kept', async () => {
    const { state, open } = ledger();
    let calls = 0;
    const flaky = policyOf(async () => (calls++ === 0 ? failing('policy')() : answer));
    const [end] = await collect(start({ ...one, openSandbox: open, policy: flaky }));
    expect(end).toMatchObject({
      outcome: { status: 'scored' },
      failedAttempts: [{ stage: 'agent', detail: 'policy: down', usage: { promptTokens: 0 } }],
    });
    expect(state).toMatchObject({ opened: 2, disposed: 2 });
  });

  it('that stays is unscored, ungraded and no reward of 0', async () => {
    const grader = graderOf(() => Promise.reject(new Error('not expected')));
    const [end] = await collect(start({ ...one, grader, policy: policyOf(failing('policy')) }));
    expect(end).toMatchObject({
      outcome: { status: 'unscored', reason: 'policy-failed', boundary: 'policy' },
      trajectory: { stopReason: 'policy-error' },
    });
    expect(end?.failedAttempts).toHaveLength(1);
  });

  it('to open a sandbox is unscored, with a trajectory that says so', async () => {
    const [end] = await collect(start({ ...one, openSandbox: failing('sandbox') }));
    expect(end).toMatchObject({
      outcome: { status: 'unscored', reason: 'sandbox-failed' },
      trajectory: { stopReason: 'sandbox-error', turns: [], error: 'sandbox: down' },
    });
  });

  it('to end a sandbox is a failure of the sandbox', async () => {
    const { open } = ledger();
    const openSandbox = async () => ({ ...(await open()), dispose: failing('sandbox') });
    const [end] = await collect(start({ ...one, openSandbox }));
    expect(end?.outcome).toMatchObject({
      status: 'unscored',
      reason: 'sandbox-failed',
      detail: expect.stringContaining('could not be disposed'),
    });
  });

  it.each([
    ['throws', () => Promise.reject(new Error('no report')), 'grader-failed', 2],
    ['fails', async () => unscored('grader-failed'), 'grader-failed', 2],
    ['finds the task invalid', async () => unscored('task-invalid'), 'task-invalid', 1],
  ] as const)('of a grader that %s is unscored after its attempts', async (_what, grade, reason, attempts) => {
    let calls = 0;
    const grader = graderOf(() => {
      calls += 1;
      return grade();
    });
    const [end] = await collect(start({ ...one, grader }));
    expect(end?.outcome).toMatchObject({ status: 'unscored', reason });
    expect(calls).toBe(attempts);
  });
});

describe('the cost of a rollout', () => {
  it('counts every attempt, and the call that was cut off', async () => {
    let calls = 0;
    const policy = policyOf(async () => {
      calls += 1;
      if (calls === 2) throw new TadpoleError({ code: 'policy', message: 'down' });
      const toolCalls = calls === 1 ? [{ id: '1', name: 'Missing', arguments: '{}' }] : [];
      return { ...answer, message: { ...answer.message, toolCalls }, usage: { promptTokens: 20, completionTokens: 3, costUsd: 0.25 } };
    });
    const [end] = await collect(start({ tasks: [taskOf('a')], samplesPerTask: 1, policy }));
    expect(end?.trajectory.usage).toEqual({ promptTokens: 20, completionTokens: 3, costUsd: 0.25 });
    expect(end?.usage).toEqual({ promptTokens: 40, completionTokens: 6, costUsd: 0.5 });
  });
});

describe('an early end', () => {
  it('by the signal throws aborted, yields no cut rollout and disposes every sandbox', async () => {
    const { state, open } = ledger();
    const controller = new AbortController();
    let asked = 0;
    const policy = policyOf(async ({ signal }) => {
      asked += 1;
      if (asked === 1) return answer;
      setImmediate(() => controller.abort());
      return untilAborted(signal);
    });
    const ends: RolloutEnd[] = [];
    const run = async () => {
      for await (const end of start({ openSandbox: open, policy, signal: controller.signal })) ends.push(end);
    };
    await expect(run()).rejects.toMatchObject({ code: 'aborted' });
    expect(ends.length).toBeLessThanOrEqual(1);
    expect(ends.every(({ outcome }) => outcome.status === 'scored')).toBe(true);
    expect(state.alive).toBe(0);
    expect(state.opened).toBe(state.disposed);
  });

  it('of the consumer stops the rollouts at work and disposes every sandbox', async () => {
    const { state, open } = ledger();
    let asked = 0;
    const policy = policyOf(async ({ signal }) => (asked++ === 0 ? answer : untilAborted(signal)));
    for await (const end of start({ openSandbox: open, policy })) {
      expect(end.outcome.status).toBe('scored');
      break;
    }
    expect(state.alive).toBe(0);
    expect(state.opened).toBeGreaterThan(1);
  });

  it('by a caller mistake throws it, with every sandbox disposed', async () => {
    const { state, open } = ledger();
    const openSandbox = (task: Task) =>
      task.data.id === 'a' ? open() : Promise.reject(new TadpoleError({ code: 'missing-dependency', message: 'no bwrap' }));
    const policy = policyOf(async ({ signal }) => untilAborted(signal));
    await expect(collect(start({ samplesPerTask: 1, openSandbox, policy }))).rejects.toMatchObject({ code: 'missing-dependency' });
    expect(state).toMatchObject({ opened: 1, disposed: 1 });
  });

  it.each(['samplesPerTask', 'concurrency', 'gradingConcurrency', 'attempts'])('is immediate for %s below 1', async (name) => {
    await expect(collect(start({ [name]: 0 }))).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringContaining(name) });
  });
});
