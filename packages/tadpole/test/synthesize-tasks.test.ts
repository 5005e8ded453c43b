import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TadpoleEvent } from '@tadpole/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { synthesizeTasks } from '../src/climb/synthesize-tasks.js';
import { readJournal } from '../src/run/journal.js';
import { createRun, type RunStore, resumeRun } from '../src/run/run-store.js';
import { fixtureContext, fixtureSampler, fixtureSnapshot, fixtureSynthesis } from './fixture-climb.js';

type EventOf<Type extends TadpoleEvent['type']> = Extract<TadpoleEvent, { type: Type }>;

const now = () => new Date('2026-12-01T00:00:00.000Z');
const configuration = fixtureSynthesis();
const snapshot = fixtureSnapshot();
const repository = { ...configuration.repositories[0], heldOutFiles: [] } as (typeof configuration.repositories)[number];

function newStore(): RunStore {
  return createRun({ directory: mkdtempSync(join(tmpdir(), 'tadpole-run-')), runId: 'run', configuration, versions: {}, now });
}

/** One iteration's synthesis in a store, by a policy of this solve rate; ids of the admitted tasks. */
async function synthesise(options: { store: RunStore; iteration: number; rate: number }): Promise<readonly string[]> {
  const { store, iteration, rate } = options;
  const process = synthesizeTasks({
    context: fixtureContext({ store, rate }),
    snapshots: [{ repository, snapshot }],
    heldOut: [],
    sampler: fixtureSampler(`weights-${iteration}`),
    iteration,
  });
  let step = await process.next();
  while (step.done !== true) step = await process.next();
  return step.value.map(({ data }) => data.id);
}

/** A store whose disk fails when the journal is to get one more line than it may. */
function failingAfter(store: RunStore, lines: number): RunStore {
  const { journal } = store;
  return {
    ...store,
    journal: {
      ...journal,
      append(event) {
        if (journal.events.length >= lines) throw new Error('the disk is full');
        journal.append(event);
      },
    },
  };
}

const ofType = <Type extends TadpoleEvent['type']>(events: readonly TadpoleEvent[], type: Type) =>
  events.filter((event): event is EventOf<Type> => event.type === type);
const stateOf = (store: RunStore, iteration: number) =>
  readFileSync(join(store.directory, `synthesis/iteration-${iteration}.json`), 'utf8');
const keysOf = ({ directory }: RunStore) => ofType(readJournal(directory), 'rollout-end').map(({ key }) => key);
/** Everything but rollouts, whose order among these is that of the machine, and what depends on executions that ran ahead. */
const told = (store: RunStore) =>
  readJournal(store.directory)
    .filter(({ type }) => type !== 'rollout-end')
    .map((event) => (event.type === 'synthesis-end' ? { ...event, executions: 0 } : event));

describe("an iteration's synthesis", () => {
  const store = newStore();
  let tasks: readonly string[];

  beforeAll(async () => {
    tasks = await synthesise({ store, iteration: 0, rate: 0.3 });
  }, 120_000);

  it('journals candidates, rounds, verdicts, fates and the end, and writes a certificate for each task it returns', () => {
    const events = readJournal(store.directory);
    expect(tasks.length).toBeGreaterThan(0);
    expect(ofType(events, 'task-admit').map(({ taskId }) => taskId)).toEqual(tasks);
    expect(ofType(events, 'synthesis-end')).toMatchObject([{ iteration: 0, admitted: tasks.length }]);
    expect(ofType(events, 'calibration-round').reduce((sum, { rollouts }) => sum + rollouts, 0)).toBe(ofType(events, 'rollout-end').length);
    for (const event of ofType(events, 'candidate-validate')) expect(event.strategy).toMatch(/^(mutation-|say-less$|say-more$)/);
    for (const taskId of tasks) {
      const certificate = JSON.parse(readFileSync(join(store.directory, 'tasks', taskId, 'certificate.json'), 'utf8'));
      expect(certificate).toMatchObject({ taskId, calibration: { weightsVersion: 'weights-0' } });
    }
    const fates = ofType(events, 'candidate-discard').map(({ taskId }) => taskId);
    const validated = ofType(events, 'candidate-validate').map(({ taskId }) => taskId);
    expect([...fates, ...tasks].sort()).toEqual([...validated].sort());
  });

  it('admits in a later iteration what was too hard in the one before, from the state on the disk', async () => {
    const first = newStore();
    await synthesise({ store: first, iteration: 0, rate: 0.05 });
    first.close();
    const resumed = resumeRun({ directory: first.directory });
    const admitted = await synthesise({ store: resumed, iteration: 1, rate: 0.5 });
    const verdicts = ofType(readJournal(resumed.directory), 'candidate-calibrate');
    const hard = verdicts.filter(({ iteration, verdict }) => iteration === 0 && verdict === 'too-hard').map(({ taskId }) => taskId);
    const banked = verdicts.filter(({ iteration, origin }) => iteration === 1 && origin === 'bank');
    const again = banked.filter(({ taskId, admitted: isAdmitted }) => isAdmitted && hard.includes(taskId)).map(({ taskId }) => taskId);
    expect(again.length).toBeGreaterThan(0);
    expect(admitted).toEqual(expect.arrayContaining(again));
  }, 120_000);

  it('refuses to go on without the state of the iteration before', async () => {
    await expect(synthesise({ store: newStore(), iteration: 1, rate: 0.5 })).rejects.toMatchObject({ code: 'invalid-input' });
  });

  it.each([9, 30])(
    'leaves the same state byte for byte when it was cut off after %i lines of the journal',
    async (lines) => {
      const cut = newStore();
      expect(readJournal(store.directory).length).toBeGreaterThan(lines);
      await expect(synthesise({ store: failingAfter(cut, lines), iteration: 0, rate: 0.3 })).rejects.toThrow('the disk is full');
      cut.close();
      const resumed = resumeRun({ directory: cut.directory });
      expect(await synthesise({ store: resumed, iteration: 0, rate: 0.3 })).toEqual(tasks);
      expect(stateOf(resumed, 0)).toBe(stateOf(store, 0));
      expect(told(resumed)).toEqual(told(store));
      expect(keysOf(resumed)).toHaveLength(new Set(keysOf(resumed)).size);
      expect(keysOf(resumed).sort()).toEqual(keysOf(store).sort());
    },
    120_000,
  );
});
