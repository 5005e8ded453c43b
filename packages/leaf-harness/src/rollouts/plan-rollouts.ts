import { rolloutPurposeSchema, samplingSchema, TadpoleError, type Task } from '@tadpole/contracts';
import { z } from 'zod';
import { harnessFingerprint } from './harness-fingerprint.js';
import type { RollOutOptions } from './roll-out-options.js';
import type { PlannedRollout } from './rollout-end.js';
import { rolloutKey } from './rollout-key.js';
import { unlessAborted } from './unless-aborted.js';

/** Of one task. More are a mistake in a count, and would fill the memory before the first one begins. */
const MAX_SAMPLES = 1_000_000;

const samplesSchema = z
  .array(z.int().min(0))
  .max(MAX_SAMPLES)
  .refine((samples) => new Set(samples).size === samples.length, 'expected every sample once');

/**
 * The rollouts that have no result yet, task by task. Tasks and sample numbers are checked before the first one is given.
 *
 * @throws TadpoleError `invalid-input` for a count or sample numbers that are none, a task that is listed twice, or
 *   sampling that its schema refuses, the seed included.
 */
export async function* planRollouts(options: RollOutOptions, signal: AbortSignal): AsyncGenerator<PlannedRollout> {
  const { policy, weightsVersion, fingerprint = '' } = options;
  const purpose = parsed(rolloutPurposeSchema, 'purpose', options.purpose);
  const harness = harnessFingerprint(options);
  const ids = options.tasks.map(({ data }) => data.id);
  const again = ids.find((id, index) => ids.indexOf(id) < index);
  if (again !== undefined) throw invalid('every task once', `${again} again`);
  if (typeof options.hashTask !== 'function') throw invalid('a function hashTask', typeof options.hashTask);
  const samplesOf = samplesByTask(options);
  const requests = options.tasks.map((task) => ({ task, samples: samplesOf(task) }));
  for (const { task, samples } of requests) {
    if (samples.length === 0) continue;
    const taskHash = parsed(
      z.string().min(1),
      `hashTask of the task ${task.data.id}`,
      await unlessAborted({ work: () => options.hashTask(task), name: `hashTask of the task ${task.data.id}`, signal }),
    );
    for (const sample of samples) {
      const taskId = task.data.id;
      const sampling = parsed(samplingSchema, 'sampling', { ...options.sampling, seed: options.seedFor({ taskId, sample, purpose }) });
      const key = rolloutKey({
        taskId,
        taskHash,
        purpose,
        sample,
        policy: policy.name,
        weightsVersion,
        sampling,
        harnessFingerprint: harness,
        fingerprint,
      });
      const isFinished = await unlessAborted({ work: () => options.journal?.has(key), name: "the journal's answer", signal });
      if (isFinished !== true) yield { key, task, taskHash, sample, sampling };
    }
  }
}

function samplesByTask({ samplesPerTask }: RollOutOptions): (task: Task) => readonly number[] {
  if (typeof samplesPerTask === 'function')
    return (task) => parsed(samplesSchema, `samplesPerTask of the task ${task.data.id}`, samplesPerTask(task));
  const count = parsed(z.int().min(1).max(MAX_SAMPLES), 'samplesPerTask', samplesPerTask);
  const samples = Array.from({ length: count }, (_, index) => index);
  return () => samples;
}

function parsed<Schema extends z.ZodType>(schema: Schema, name: string, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalid(`${name} of its form`, `another: ${z.prettifyError(result.error).replaceAll('\n', ' ')}`);
}

function invalid(expected: string, received: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message: `rollOut: expected ${expected}, received ${received}.` });
}
