import { setTimeout as delay } from 'node:timers/promises';
import { type Candidate, type Generator, TadpoleError, type TestExecutor, type TestRun } from '@tadpole/contracts';
import { expect, test } from 'vitest';
import { createCertificate } from '../src/admit/create-certificate.js';
import { duplicateKey } from '../src/admit/duplicate-key.js';
import { createMutationGenerator } from '../src/generator/create-mutation-generator.js';
import { seededRandom } from '../src/seeded-random.js';
import { type ProposalEvent, type ProposalSummary, validateProposals } from '../src/synthesize/validate-proposals.js';
import { replaceInSample, sampleBaseline, sampleLimits, sampleSnapshot } from './support/sample-project.js';
import { createNodeTestExecutor } from './support/test-executors.js';

async function finish(process: AsyncGenerator<ProposalEvent, ProposalSummary>) {
  const events: ProposalEvent[] = [];
  for (;;) {
    const step = await process.next();
    if (step.done === true) return { events, summary: step.value };
    events.push(step.value);
  }
}

const listed = (candidates: readonly Candidate[]): Generator => ({
  name: 'list',
  async *propose() {
    yield* candidates;
  },
});
const bugs = [
  replaceInSample({ before: 'value <= high', after: 'value < high' }),
  replaceInSample({ before: 'value >= low', after: 'value > low' }),
  replaceInSample({ before: 'high - low', after: 'high + low' }),
  replaceInSample({ file: 'lib/list.js', before: 'total += value', after: 'total -= value' }),
];

/** Fails one test whenever the tree is edited, after a wait that differs from run to run. */
function restless(seed: number): TestExecutor & { peak: () => number } {
  const random = seededRandom(seed);
  let [now, peak] = [0, 0];
  return {
    peak: () => peak,
    async execute({ edits }): Promise<TestRun> {
      peak = Math.max(peak, ++now);
      await delay(random() * 8);
      now--;
      const notices = edits.some((edit) => 'text' in edit && edit.text.length % 2 === 0);
      const tests = sampleBaseline.map((item, index) =>
        index === 0 && notices ? { ...item, status: 'failed' as const, kind: 'assertion' as const, expected: '1', observed: '2' } : item,
      );
      return { status: 'completed', tests, output: '', durationMs: 1 };
    },
  };
}

test('makes valid tasks from a real package with the real generator and a real suite', async () => {
  const executor = createNodeTestExecutor();
  const generator = createMutationGenerator();
  const { events, summary } = await finish(
    validateProposals({ snapshots: [sampleSnapshot()], generator, executor, count: 3, seed: 1, limits: sampleLimits, baselineRuns: 2 }),
  );
  expect(summary).toMatchObject({ validated: { train: 3, 'held-out': 0 }, exhausted: false });
  const drafts = events.flatMap((event) => (event.type === 'candidate-validate' ? [event.draft] : []));
  expect(new Set(drafts.map(({ facts }) => `${facts.file}:${facts.line}`)).size).toBe(3);
  expect(new Set(drafts.map(duplicateKey)).size).toBe(3);
  expect(createCertificate({ draft: drafts[0] as (typeof drafts)[number] })).toMatchObject({ taskId: drafts[0]?.data.id });
});

test('the events do not depend on concurrency or on which execution ends first', async () => {
  const snapshots = [sampleSnapshot(), sampleSnapshot({ source: 'other@2.0.0', hash: 'b'.repeat(64) })];
  const runs = await Promise.all(
    [1, 2, 5].map(async (concurrency) => {
      const executor = restless(concurrency);
      const process = validateProposals({
        snapshots,
        generator: createMutationGenerator(),
        executor,
        count: 9,
        seed: 'same',
        concurrency,
        limits: sampleLimits,
      });
      const { events } = await finish(process);
      // A busy machine may keep fewer at a time, never more.
      expect(executor.peak()).toBeLessThanOrEqual(concurrency);
      expect(executor.peak()).toBeGreaterThan(concurrency > 1 ? 1 : 0);
      return events;
    }),
  );
  expect(runs[1]).toEqual(runs[0]);
  expect(runs[2]).toEqual(runs[0]);
  expect(runs[0]?.filter(({ type }) => type === 'candidate-validate')).toHaveLength(9);
});

test('takes one task a line and refuses the next as a duplicate without executing it', async () => {
  const executor = restless(1);
  const { events, summary } = await finish(
    validateProposals({
      snapshots: [sampleSnapshot()],
      generator: listed(bugs.slice(0, 2)),
      executor,
      count: 5,
      seed: 1,
      concurrency: 1,
      limits: sampleLimits,
    }),
  );
  expect(events.map((event) => (event.type === 'candidate-refuse' ? event.reason : event.type))).toEqual([
    'candidate-validate',
    'duplicate',
  ]);
  expect(summary).toMatchObject({ executions: 4, exhausted: true, refused: { duplicate: 1 } });
});

test('fills each split and keeps to the limit of a file', async () => {
  const common = { snapshots: [sampleSnapshot()], executor: restless(1), seed: 1, limits: sampleLimits, generator: listed(bugs) };
  const perFile = await finish(validateProposals({ ...common, count: 5, maxPerFile: 1 }));
  expect(perFile.summary.validated).toEqual({ train: 2, 'held-out': 0 });
  const split = await finish(
    validateProposals({
      ...common,
      count: { train: 1, 'held-out': 1 },
      splitOf: ({ candidate }) => (candidate.lineage.file === 'lib/list.js' ? 'held-out' : 'train'),
    }),
  );
  expect(split.summary).toMatchObject({ validated: { train: 1, 'held-out': 1 }, exhausted: false });
});

test('a failed boundary costs its candidate; three in a row end the run', async () => {
  const failure = new TadpoleError({ code: 'sandbox', message: 'no sandbox' });
  const working = restless(1);
  const failing = (failures: number): TestExecutor => {
    let left = failures;
    return { execute: (options) => (left-- > 0 ? Promise.reject(failure) : working.execute(options)) };
  };
  const settings = {
    snapshots: [sampleSnapshot()],
    generator: listed([bugs[0], bugs[2], bugs[3]] as Candidate[]),
    count: 3,
    seed: 1,
    concurrency: 1,
    limits: sampleLimits,
  };
  const { summary } = await finish(validateProposals({ ...settings, executor: failing(2) }));
  expect(summary).toMatchObject({ validated: { train: 1 }, refused: { 'sandbox-failed': 2 } });
  await expect(finish(validateProposals({ ...settings, executor: failing(3) }))).rejects.toBe(failure);
});

test('ends its executions when the caller stops reading, and with code aborted when its signal fires', async () => {
  let [running, aborted] = [0, 0];
  const waiting: TestExecutor = {
    async execute({ edits, signal }) {
      if (edits.some((edit) => 'text' in edit && edit.text === 'value < high'))
        return restless(1).execute({ edits, snapshot: sampleSnapshot(), timeoutMs: 1 });
      running++;
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => {
          aborted++;
          reject(new TadpoleError({ code: 'aborted', message: 'ended' }));
        });
      });
    },
  };
  const controller = new AbortController();
  const process = validateProposals({
    snapshots: [sampleSnapshot()],
    generator: listed([bugs[2], bugs[3]] as Candidate[]),
    executor: waiting,
    count: 3,
    seed: 1,
    limits: sampleLimits,
    signal: controller.signal,
  });
  const pending = expect(finish(process)).rejects.toMatchObject({ code: 'aborted' });
  while (running < 2) await delay(1);
  controller.abort();
  await pending;
  expect([running, aborted]).toEqual([2, 2]);
});
