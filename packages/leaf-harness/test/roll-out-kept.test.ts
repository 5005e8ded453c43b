import { EventEmitter } from 'node:events';
import { TadpoleError } from '@tadpole/contracts';
import { describe, expect, it } from 'vitest';
import { createRedactor, type RolloutEnd, stopOnProcessSignals } from '../src/index.js';
import { answer, collect, ledger, policyOf, scored, start, taskOf } from './rollout-fixture.js';

describe('a secret', () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const tokens = { promptIds: [1], completionIds: [2], completionLogprobs: [-1], weightsVersion: 'w1' };
  const leaking = policyOf(async () => ({ ...answer, message: { ...answer.message, content: `The token is ${token}.` }, tokens }));
  const one = { tasks: [taskOf('a')], samplesPerTask: 1, policy: leaking, purpose: 'train' as const };

  it('in a rollout for training leaves no text, no token ids and no score', async () => {
    const appended: RolloutEnd[] = [];
    const journal = { has: () => false, append: (end: RolloutEnd) => void appended.push(end) };
    const [end] = await collect(start({ ...one, journal }));
    expect(JSON.stringify(end)).not.toContain(token);
    expect(end?.trajectory.turns[0]?.assistant.content).toBe('The token is [redacted:github-token].');
    expect(end?.trajectory).toMatchObject({ segments: [], redactions: 1 });
    expect(end?.outcome).toMatchObject({ status: 'unscored', reason: 'redacted' });
    expect(appended).toEqual([end]);
  });

  it('in a rollout for evaluation leaves the score', async () => {
    const [end] = await collect(start({ ...one, purpose: 'evaluation' }));
    expect(JSON.stringify(end)).not.toContain(token);
    expect(end?.outcome).toEqual(scored(1));
  });

  it('of the caller is taken out by its name', async () => {
    const policy = policyOf(async () => ({ ...answer, message: { ...answer.message, content: 'It is open sesame!' } }));
    const [end] = await collect(
      start({ ...one, purpose: 'evaluation', policy, redactor: createRedactor({ secrets: { DOOR: 'open sesame' } }) }),
    );
    expect(end?.trajectory.turns[0]?.assistant.content).toBe('It is [redacted:DOOR]!');
  });
});

describe('a journal', () => {
  const storage = new TadpoleError({ code: 'storage', message: 'disk full' });

  it('has a rollout before it is yielded', async () => {
    const keys: string[] = [];
    const run = start({ journal: { has: () => false, append: ({ key }) => void keys.push(key) } });
    for await (const { key } of run) expect(keys).toContain(key);
    expect(keys).toHaveLength(4);
  });

  it('that cannot be written ends the run with its error, with every sandbox disposed and what was appended kept', async () => {
    const { state, open } = ledger();
    const keys: string[] = [];
    const append = async ({ key }: RolloutEnd) => {
      if (keys.length === 2) throw storage;
      keys.push(key);
    };
    const run = collect(start({ openSandbox: open, journal: { has: () => false, append } }));
    await expect(run).rejects.toMatchObject({ code: 'storage' });
    expect(keys).toHaveLength(2);
    expect(state.alive).toBe(0);
  });
});

describe('stopOnProcessSignals', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('aborts with %s once and then lets the process be', (name) => {
    const process = new EventEmitter();
    const { signal } = stopOnProcessSignals({ process });
    process.emit(name);
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toMatchObject({ message: `received ${name}` });
    expect([...process.eventNames()]).toEqual([]);
  });

  it('lets the process be once it is closed', () => {
    const process = new EventEmitter();
    const { signal, close } = stopOnProcessSignals({ process });
    close();
    process.emit('SIGTERM');
    expect(signal.aborted).toBe(false);
  });
});
