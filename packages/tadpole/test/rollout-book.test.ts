import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome, Task, Unscored } from '@tadpole/contracts';
import { type RolloutEnd, readRolloutRecords } from '@tadpole/leaf-harness';
import { describe, expect, it } from 'vitest';
import { openRolloutBook } from '../src/synth/rollout-book.js';
import { fixtureTrajectory } from './fixture-trajectory.js';

const newFile = () => join(mkdtempSync(join(tmpdir(), 'tadpole-book-')), 'rollouts.jsonl');
const scored: Outcome = { status: 'scored', reward: 1, components: {}, tests: [] };
const failed = (reason: Unscored['reason'], boundary: Unscored['boundary']): Outcome => ({
  ...{ status: 'unscored', reason, boundary, detail: 'connect ECONNREFUSED' },
});
const dead = failed('policy-failed', 'policy');

function rollout(options: { key: string; outcome: Outcome; costUsd?: number }): RolloutEnd {
  const { key, outcome, costUsd } = options;
  const about = { id: key, taskId: 'clamp', policy: 'p', seed: 1, solved: true, hostileText: '', cheats: false };
  const usage = { promptTokens: 1, completionTokens: 1, ...(costUsd === undefined ? {} : { costUsd }) };
  return {
    ...{ type: 'rollout-end', key, purpose: 'calibration', taskHash: 'h', sample: 0, seed: 1, weightsVersion: 'w' },
    ...{ task: { data: { id: 'clamp' }, directory: '' } as Task, trajectory: fixtureTrajectory(about), outcome, usage, failedAttempts: [] },
  };
}

describe('a rollout book', () => {
  it('knows a finished rollout again after it was closed, with its turns and its cost', () => {
    const file = newFile();
    const first = openRolloutBook({ file });
    first.append(rollout({ key: 'a', outcome: scored, costUsd: 0.25 }));
    first.close();
    const second = openRolloutBook({ file });
    expect(second.recall('a')).toMatchObject({ taskId: 'clamp', outcome: { reward: 1 }, turns: 3, costUsd: 0.25 });
    expect(second.recall('b')).toBeUndefined();
    second.close();
  });

  it('leaves the cost away where no price was known', () => {
    const book = openRolloutBook({ file: newFile() });
    book.append(rollout({ key: 'a', outcome: scored }));
    expect(book.recall('a')).not.toHaveProperty('costUsd');
    book.close();
  });

  it.each([
    ['policy', dead],
    ['sandbox', failed('sandbox-failed', 'sandbox')],
  ])('ends with the code %s when that boundary fails three rollouts in a row, and takes no more', (code, outcome) => {
    const file = newFile();
    const book = openRolloutBook({ file });
    book.append(rollout({ key: 'a', outcome }));
    book.append(rollout({ key: 'b', outcome: scored }));
    book.append(rollout({ key: 'c', outcome }));
    book.append(rollout({ key: 'd', outcome }));
    const message = expect.stringMatching(/failed 3 of them in a row: connect ECONNREFUSED/);
    expect(() => book.append(rollout({ key: 'e', outcome }))).toThrow(expect.objectContaining({ code, message }));
    expect(() => book.append(rollout({ key: 'f', outcome: scored }))).toThrow(expect.objectContaining({ code }));
    book.close();
    expect([...readRolloutRecords({ file })].map(({ key }) => key)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('rolls out again what a dead endpoint left at its end, and counts what both tries cost', () => {
    const file = newFile();
    const first = openRolloutBook({ file });
    first.append(rollout({ key: 'a', outcome: dead }));
    first.append(rollout({ key: 'b', outcome: scored, costUsd: 1 }));
    first.append(rollout({ key: 'c', outcome: dead, costUsd: 0.5 }));
    first.close();
    const second = openRolloutBook({ file });
    expect(second.recall('a')).toMatchObject({ outcome: { status: 'unscored' } });
    expect(second.recall('b')).toMatchObject({ costUsd: 1 });
    expect(second.recall('c')).toBeUndefined();
    second.append(rollout({ key: 'c', outcome: scored, costUsd: 2 }));
    expect(second.recall('c')).toMatchObject({ outcome: { status: 'scored' }, costUsd: 2.5 });
    second.close();
  });

  it('does not take a grader that fails for a dead boundary', () => {
    const book = openRolloutBook({ file: newFile() });
    for (const key of ['a', 'b', 'c', 'd']) book.append(rollout({ key, outcome: failed('grader-failed', 'grader') }));
    expect(book.recall('d')).toMatchObject({ outcome: { status: 'unscored' } });
    book.close();
  });
});
