import { type Policy, TadpoleError, type Task } from '@tadpole/contracts';
import { describe, expect, it } from 'vitest';
import type { RolloutEnd } from '../src/index.js';
import { unsafeDirectorySandbox } from '../src/testing/index.js';
import { answer, collect, door, forever, graderOf, ledger, policyOf, scored, start, taskOf, tick } from './rollout-fixture.js';

const identity = (ends: RolloutEnd[]) => ends.map(({ key, task, sample, seed }) => [key, task.data.id, sample, seed].join(' ')).sort();

describe('rollOut', () => {
  it('gives one scored record for every task and sample, and disposes every sandbox', async () => {
    const { state, open } = ledger();
    const ends = await collect(start({ openSandbox: open }));
    expect(ends.map(({ task, sample }) => `${task.data.id}${sample}`).sort()).toEqual(['a0', 'a1', 'b0', 'b1']);
    expect(new Set(ends.map(({ key }) => key)).size).toBe(4);
    expect(ends[0]).toMatchObject({
      type: 'rollout-end',
      purpose: 'evaluation',
      weightsVersion: 'w1',
      outcome: { reward: 1 },
      failedAttempts: [],
    });
    expect(ends[0]?.trajectory).toMatchObject({ stopReason: 'agent', patch: 'patch', policy: 'p' });
    expect(ends.every(({ seed, trajectory }) => trajectory.sampling.seed === seed)).toBe(true);
    expect(state).toMatchObject({ opened: 4, disposed: 4, alive: 0 });
    expect(state.mostAlive).toBeLessThanOrEqual(2);
  });

  it('gives the same keys and seeds whatever the concurrency', async () => {
    const one = identity(await collect(start({ concurrency: 1 })));
    expect(identity(await collect(start({ concurrency: 4, gradingConcurrency: 3 })))).toEqual(one);
  });

  it('skips the keys that are finished', async () => {
    const all = await collect(start());
    const finished = new Set(all.slice(0, 3).map(({ key }) => key));
    const rest = await collect(start({ journal: { has: async (key) => finished.has(key), append: () => undefined } }));
    expect(rest.map(({ key }) => key)).toEqual([all[3]!.key]);
    expect(
      await collect(start({ journal: { has: (key) => finished.has(key), append: () => undefined }, weightsVersion: 'w2' })),
    ).toHaveLength(4);
  });

  it('rolls a task out again whose files changed under the same id, and asks for no hash of one without samples', async () => {
    const finished = new Set((await collect(start())).map(({ key }) => key));
    const journal = { has: (key: string) => finished.has(key), append: () => undefined };
    const edited = { journal, hashTask: async ({ data }: Task) => (data.id === 'a' ? 'another test.sh' : JSON.stringify(data)) };
    expect((await collect(start(edited))).map(({ task }) => task.data.id)).toEqual(['a', 'a']);
    const onlyB = { samplesPerTask: ({ data }: Task) => (data.id === 'a' ? [] : [0]) };
    const hashTask = ({ data }: Task) => {
      if (data.id === 'a') throw new Error('not expected');
      return data.id;
    };
    expect(await collect(start({ ...onlyB, hashTask }))).toHaveLength(1);
  });

  it('ends with a hash that is none, or that cannot be made', async () => {
    await expect(collect(start({ hashTask: () => '' }))).rejects.toThrowError(/hashTask of the task a/);
    const unreadable = new TadpoleError({ code: 'invalid-input', message: 'no workspace' });
    await expect(collect(start({ hashTask: () => Promise.reject(unreadable) }))).rejects.toBe(unreadable);
  });

  it('keeps no finished rollout back for a task whose hash is slow, and does not wait for one that never comes', async () => {
    const stop = new AbortController();
    const hashTask = ({ data }: Task) => (data.id === 'a' ? 'a' : forever());
    const ends: RolloutEnd[] = [];
    const all = (async () => {
      for await (const end of start({ hashTask, signal: stop.signal })) {
        ends.push(end);
        if (ends.length === 2) stop.abort();
      }
    })();
    await expect(all).rejects.toMatchObject({ code: 'aborted' });
    expect(ends.map(({ task }) => task.data.id)).toEqual(['a', 'a']);
    for await (const end of start({ hashTask })) if (end.sample === 1) break;
  });

  it('refuses two tasks of one id, and a hash function that is none', async () => {
    const other = { ...taskOf('a'), data: { ...taskOf('a').data, instruction: 'Another.' } };
    await expect(collect(start({ tasks: [taskOf('a'), other] }))).rejects.toThrowError(/every task once, received a again/);
    await expect(collect(start({ hashTask: undefined as never }))).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it('takes no rollout whose policy gave token ids in some turns only', async () => {
    const tokens = { promptIds: [1], completionIds: [2], completionLogprobs: [-1], weightsVersion: 'w1' };
    const call = { id: 'c', name: 'Nothing', arguments: '{}' };
    const policy = policyOf(async ({ messages }) =>
      messages.length < 3 ? { ...answer, message: { ...answer.message, toolCalls: [call] }, tokens } : answer,
    );
    const [end] = await collect(start({ purpose: 'train', policy, tasks: [taskOf('a')], samplesPerTask: 1, attempts: 1 }));
    expect(end?.outcome).toMatchObject({ status: 'unscored', reason: 'policy-failed' });
    expect(end?.trajectory.error).toContain('without them at turn 1');
  });

  it('ends at the first rollout to train on whose policy gave no token ids, and says which', async () => {
    const { state, open } = ledger();
    const ended = collect(start({ purpose: 'train', openSandbox: open }));
    await expect(ended).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringMatching(/token ids.*the policy p /) });
    expect(state.alive).toBe(0);
    const tokens = { promptIds: [1], completionIds: [2], completionLogprobs: [-1], weightsVersion: 'w1' };
    const sampling = policyOf(async () => ({ ...answer, tokens }));
    expect(await collect(start({ purpose: 'train', policy: sampling }))).toHaveLength(4);
  });

  it('works through a real sandbox: the patch that is graded is what the tools changed', async () => {
    const patches: string[] = [];
    const write: Policy['respond'] = async ({ messages }) =>
      messages.length > 2
        ? answer
        : {
            ...answer,
            message: { ...answer.message, toolCalls: [{ id: '1', name: 'Write', arguments: '{"file_path":"a.txt","content":"2\\n"}' }] },
          };
    const [end] = await collect(
      start({
        tasks: [taskOf('a')],
        samplesPerTask: 1,
        policy: policyOf(write),
        openSandbox: () => unsafeDirectorySandbox({ files: { 'a.txt': '1\n' } }),
        grader: graderOf(async ({ patch }) => {
          patches.push(patch);
          return scored(0);
        }),
      }),
    );
    expect(patches).toEqual([end!.trajectory.patch]);
    expect(patches[0]).toContain('-1\n+2\n');
  });

  it('lets agents go on while a grading is slow, up to its bound', async () => {
    const { opened, open } = door();
    let asked = 0;
    const run = start({
      tasks: Array.from({ length: 20 }, (_, index) => taskOf(`t${index}`)),
      samplesPerTask: 1,
      policy: policyOf(async () => {
        asked += 1;
        return answer;
      }),
      grader: graderOf(() => opened.then(() => scored(1))),
    });
    const first = run.next();
    for (let wait = 0; wait < 100; wait += 1) await tick();
    // 2 * concurrency + gradingConcurrency rollouts are begun although no grading has ended.
    expect(asked).toBe(5);
    open();
    await first;
    expect(await collect(run)).toHaveLength(19);
  });

  it('grades at most gradingConcurrency at one time, each after its own sandbox is gone', async () => {
    let opened = 0;
    const alive = new Set<string>();
    const openSandbox = async () => {
      const sandbox = await ledger().open();
      opened += 1;
      const id = `sandbox-${opened}`;
      alive.add(id);
      const dispose = async () => {
        await tick();
        alive.delete(id);
      };
      return { ...sandbox, id, diff: async () => id, dispose };
    };
    let grading = 0;
    let most = 0;
    const grader = graderOf(async ({ patch }) => {
      const isGone = !alive.has(patch);
      most = Math.max(most, ++grading);
      await tick();
      grading -= 1;
      return scored(isGone ? 1 : 0);
    });
    const ends = await collect(start({ openSandbox, concurrency: 4, gradingConcurrency: 2, grader }));
    expect(most).toBe(2);
    expect(ends.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 4 }, () => scored(1)));
  });
});
