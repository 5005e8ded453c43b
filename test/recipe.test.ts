import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TadpoleEvent } from '@tadpole/contracts';
import { readJournal } from 'tadpole';
import { beforeAll, describe, expect, it } from 'vitest';
import { canary, configurationFile, journalLines, tadpole, tadpoleInTerminal, temporaryFolder, tinyOverrides } from './tiny-recipe.js';

type EventOf<Type extends TadpoleEvent['type']> = Extract<TadpoleEvent, { type: Type }>;

const eventsOf = <Type extends TadpoleEvent['type']>(directory: string, type: Type) =>
  readJournal(directory).filter((event): event is EventOf<Type> => event.type === type);
const admitted = (directory: string) => eventsOf(directory, 'task-admit').map(({ taskId }) => taskId);
const rolloutKeys = (directory: string) => eventsOf(directory, 'rollout-end').map(({ key }) => key);
const versions = (directory: string) => eventsOf(directory, 'update-end').map(({ weightsVersion }) => weightsVersion);
/** What was said of candidates, rounds, verdicts, fates and the end, in order; rollouts come in between as the machine has it. */
const told = (directory: string) =>
  readJournal(directory).flatMap((event): readonly unknown[] => {
    if (event.type === 'candidate-refuse') return [[event.type, event.candidateId, event.strategy, event.reason]];
    if (event.type === 'synthesis-end') return [[event.type, event.ended, event.admitted, event.rollouts]];
    if (!['candidate-validate', 'calibration-round', 'candidate-calibrate', 'candidate-discard', 'task-admit'].includes(event.type))
      return [];
    return [{ ...event, at: '' }];
  });
const stateOf = (directory: string) => readFileSync(join(directory, 'synthesis/iteration-0.json'), 'utf8');
const distinct = <Item>(items: readonly Item[]) => [...new Set(items)];

const configuration = configurationFile({ ...tinyOverrides, training: { ...tinyOverrides.training, maxLag: 1 } });
const first = join(temporaryFolder(), 'first');
const run = (directory: string) => ['run', '--budget', 'small', '--seed', '5', '--config', configuration, '--out', directory];

describe('the recipe', () => {
  beforeAll(async () => {
    const { code, stderr } = await tadpole(run(first));
    if (code !== 0) throw new Error(stderr);
  }, 300_000);

  it('ends with a result, a report and no scratch folder', async () => {
    expect(eventsOf(first, 'run-end').map(({ reason }) => reason)).toEqual(['done']);
    expect(eventsOf(first, 'evaluation-end')).toHaveLength(2);
    expect(existsSync(join(first, 'report.html'))).toBe(true);
    expect(existsSync(join(first, 'scratch'))).toBe(false);
  });

  it('keeps secrets of the environment out of every file of the run', () => {
    const encoded = [canary, Buffer.from(canary).toString('base64').slice(0, 24), Buffer.from(canary).toString('hex')];
    const files = readdirSync(first, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(20);
    const leaks = files
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => {
        const text = readFileSync(file, 'latin1');
        return encoded.some((secret) => text.includes(secret));
      });
    expect(leaks).toEqual([]);
  });

  it('learns: the weights change with an update that kept a group', () => {
    const kept = eventsOf(first, 'update-end').filter(({ metrics }) => (metrics.sequences ?? 0) > 0);
    expect(kept.length).toBeGreaterThan(0);
    expect(
      distinct([eventsOf(first, 'iteration-start')[0]?.weightsVersion, ...kept.map(({ weightsVersion }) => weightsVersion)]),
    ).toHaveLength(kept.length + 1);
  });

  it('learns from rollouts at most one update old, as configured', () => {
    const updates = eventsOf(first, 'update-end');
    expect(updates.map(({ metrics }) => metrics.rolloutsStale)).toEqual(updates.map(() => 0));
    const [start] = eventsOf(first, 'iteration-start');
    const trained = eventsOf(first, 'rollout-end').filter(({ purpose }) => purpose === 'train');
    expect(distinct(trained.map(({ weightsVersion }) => weightsVersion))).toEqual([start?.weightsVersion]);
  });

  it('says of every validated training task what became of it, and admits by verdicts in the band', () => {
    const validated = eventsOf(first, 'candidate-validate').filter(({ split }) => split === 'train');
    const fates = eventsOf(first, 'candidate-discard').map(({ taskId }) => taskId);
    expect([...fates, ...admitted(first)].sort()).toEqual(validated.map(({ taskId }) => taskId).sort());
    const verdicts = eventsOf(first, 'candidate-calibrate').filter((verdict) => verdict.admitted);
    expect(verdicts.map(({ taskId }) => taskId)).toEqual(admitted(first));
    expect(verdicts.every(({ verdict }) => verdict === 'in-band')).toBe(true);
  });

  it('takes held-out tasks only from held-out files', () => {
    const held = distinct(
      eventsOf(first, 'candidate-validate')
        .filter(({ split }) => split === 'held-out')
        .map(({ source }) => source),
    );
    const trained = distinct(
      eventsOf(first, 'candidate-validate')
        .filter(({ split }) => split === 'train')
        .map(({ source }) => source),
    );
    expect(held).toEqual(['sorted-array-functions@1.3.0']);
    expect(trained).toEqual(['functional-red-black-tree@1.0.1']);
  });

  it('gives the same tasks and bit-equal weights for the same seed, though killed three times on the way', async () => {
    const second = join(temporaryFolder(), 'second');
    let args = run(second);
    for (const lines of [6, 24, 48]) {
      const { signal } = await tadpole(args, { killWhen: () => journalLines(second) >= lines });
      expect(signal).toBe('SIGKILL');
      args = ['run', '--resume', second];
    }
    const { code, stderr } = await tadpole(args);
    expect(code, stderr).toBe(0);
    expect(told(second)).toEqual(told(first));
    expect(stateOf(second)).toBe(stateOf(first));
    expect(rolloutKeys(second)).toHaveLength(distinct(rolloutKeys(second)).length);
    expect([...rolloutKeys(second)].sort()).toEqual([...rolloutKeys(first)].sort());
    expect(versions(second)).toEqual(versions(first));
  }, 400_000);

  it('stops at an interrupt with the journal intact and says how to go on', async () => {
    const third = join(temporaryFolder(), 'third');
    const { code, stderr } = await tadpole(run(third), { killWhen: () => journalLines(third) >= 8, signal: 'SIGINT' });
    expect(code).toBe(3);
    expect(stderr).toMatch(/--resume/);
    expect(eventsOf(third, 'run-end').at(-1)?.reason).toBe('interrupted');
  }, 200_000);

  it('cleans up behind an impatient Ctrl-C in a terminal', async () => {
    const fourth = join(temporaryFolder(), 'fourth');
    const { code, stdout } = await tadpoleInTerminal(run(fourth), {
      interruptWhen: () => journalLines(fourth) >= 8,
      until: /Already stopping/,
    });
    expect(stdout).toMatch(/Already stopping/);
    expect(stdout).toMatch(/Interrupted\. What was finished is kept; go on with: npm run recipe -- --resume/);
    expect(code).toBe(3);
    expect(eventsOf(fourth, 'run-end').at(-1)?.reason).toBe('interrupted');
    expect(['lock', 'scratch'].filter((name) => existsSync(join(fourth, name)))).toEqual([]);
    expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(fourth);
  }, 200_000);
});
