import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome, RewardFunction, Task } from '@tadpole/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { createRolloutJournal, type RescoredRollout, type RolloutRecord, rescore } from '../src/index.js';
import { collect, forever, graderOf, scored, start, taskOf } from './rollout-fixture.js';

const folders: string[] = [];
afterEach(() => {
  for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true });
});

/** A saved run: two tasks, two samples each, and one that the infrastructure failed first and then was scored. */
async function savedRun() {
  const folder = mkdtempSync(join(tmpdir(), 'rescore-'));
  folders.push(folder);
  const journal = createRolloutJournal({ file: join(folder, 'rollouts.jsonl') });
  const gone: Outcome = { status: 'unscored', reason: 'sandbox-failed', boundary: 'sandbox', detail: 'gone' };
  const outcomes = [gone, scored(1), scored(0), scored(1), gone];
  const grader = graderOf(async () => outcomes.shift() ?? scored(0.5));
  const given = { journal, grader, attempts: 1, concurrency: 1 };
  await collect(start(given));
  await collect(start({ ...given, samplesPerTask: ({ data }) => (data.id === 'a' ? [0, 1, 2] : [0, 1]) }));
  return { records: () => journal.records(), close: () => journal.close() };
}
const tasks = ['a', 'b'].map(taskOf);
const hashTask = ({ data }: Task) => JSON.stringify(data);
const tests: RewardFunction = { name: 'tests', score: ({ outcome }) => ({ score: outcome.reward }) };
const patchLength: RewardFunction = {
  name: 'patch-length',
  score: async ({ trajectory, task }) => ({ score: -trajectory.patch.length, reason: `of ${task.data.id}` }),
};

async function all(given: Omit<Parameters<typeof rescore>[0], 'hashTask'>): Promise<RescoredRollout[]> {
  const scores: RescoredRollout[] = [];
  for await (const one of rescore({ hashTask, ...given })) scores.push(one);
  return scores;
}

describe('rescore', () => {
  it('gives another reward for every rollout of a saved run, each by its last record, and none where there was no score', async () => {
    const { records, close } = await savedRun();
    const scores = await all({ records, tasks, reward: patchLength });
    const named = scores.map(({ taskId, sample, score, reason }) => [taskId, sample, score, reason]);
    expect(named.sort()).toEqual([
      ['a', 0, undefined, 'sandbox-failed'],
      ['a', 1, -5, 'of a'],
      ['a', 2, -5, 'of a'],
      ['b', 0, -5, 'of b'],
      ['b', 1, -5, 'of b'],
    ]);
    expect(new Set(scores.map(({ key }) => key)).size).toBe(5);
    close();
  });

  it('gives the same bytes again when the reward is unchanged, and what the run itself scored', async () => {
    const { records, close } = await savedRun();
    const first = await all({ records, tasks, reward: tests });
    expect(JSON.stringify(await all({ records, tasks, reward: tests }))).toBe(JSON.stringify(first));
    const last = new Map<string, RolloutRecord>([...records()].map((record) => [record.key, record]));
    for (const { key, score } of first) {
      const outcome = last.get(key)?.outcome;
      expect(score).toBe(outcome?.status === 'scored' ? outcome.reward : undefined);
    }
    close();
  });

  it('gives no score to a rollout of a task that was edited since', async () => {
    const { records, close } = await savedRun();
    const edited = tasks.map((task) => (task.data.id === 'a' ? { ...task, data: { ...task.data, instruction: 'Another.' } } : task));
    const scores = await all({ records, tasks: edited, reward: tests });
    const reasonsOf = (id: string) => scores.filter(({ taskId }) => taskId === id).map(({ score, reason }) => reason ?? score);
    expect(reasonsOf('a')).toEqual(['task-changed', 'task-changed', 'task-changed']);
    expect(reasonsOf('b').every((score) => typeof score === 'number')).toBe(true);
    close();
  });

  it('refuses a reward that needs live state before it reads a record', async () => {
    const reward: RewardFunction = { ...tests, name: 'open-files', liveState: "the agent's sandbox" };
    const records = () => {
      throw new Error('not expected');
    };
    await expect(all({ records, tasks, reward })).rejects.toThrowError(/open-files, which needs the agent's sandbox/);
  });

  it('notices records that are other ones at the second reading, and waits for no reward beyond its signal', async () => {
    const { records, close } = await savedRun();
    const once = records();
    await expect(all({ records: () => once, tasks, reward: tests })).rejects.toMatchObject({ code: 'invalid-input' });
    const given = [...records()];
    let reading = 0;
    const shrinking = () => given.slice(0, reading++ === 0 ? undefined : 2);
    await expect(all({ records: shrinking, tasks, reward: tests })).rejects.toThrowError(/from record 3 on/);
    reading = 0;
    const turned = () => (reading++ === 0 ? given : [...given].reverse());
    await expect(all({ records: turned, tasks, reward: tests })).rejects.toMatchObject({ code: 'invalid-input' });
    const stop = new AbortController();
    const hanging: RewardFunction = {
      name: 'hanging',
      score() {
        stop.abort();
        return forever();
      },
    };
    await expect(all({ records, tasks, reward: hanging, signal: stop.signal })).rejects.toMatchObject({ code: 'aborted' });
    const nothing = { name: 'nothing', score: () => undefined } as never;
    await expect(all({ records, tasks, reward: nothing })).rejects.toMatchObject({ code: 'invalid-input' });
    close();
  });

  it('refuses a record without its task, a score that is no number, and goes no further once it is stopped', async () => {
    const { records, close } = await savedRun();
    await expect(all({ records, tasks: tasks.slice(1), reward: tests })).rejects.toMatchObject({ code: 'invalid-input' });
    const broken: RewardFunction = { name: 'broken', score: () => ({ score: Number.NaN }) };
    await expect(all({ records, tasks, reward: broken })).rejects.toThrowError(/broken to give .* with a finite number/);
    await expect(all({ records, tasks, reward: tests, signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
    close();
  });
});
