import type { InferenceSession, Tensor } from 'onnxruntime-node';
import type { OnnxRuntime } from '../load-runtime.js';
import type { ModelConfig } from '../model/model-config.js';
import { createSequenceFeeds } from '../model/sequence-feeds.js';
import { slotView, weightLayout } from '../model/weight-layout.js';
import { createRandom, type Random } from '../random.js';
import { createKeyValueCache, fitCache, moveRow, type NewRows, type PromptPrefix, writePrefix, writeStep } from './key-value-cache.js';
import { pickToken, type TokenChoice } from './pick-token.js';
import { prefillPrompts } from './prefill.js';

/** A request for samples that continue one prompt. */
export interface SampleRequest extends TokenChoice {
  /** Token ids [P], P ≥ 1. */
  readonly prompt: Int32Array;
  /** Number of sequences. @default 1 */
  readonly count?: number;
  /** Most new tokens a sequence; the model's context also bounds prompt and new tokens together. */
  readonly maxTokens: number;
  /** Ids that end a sequence; the stop token is part of the sample. @default [] */
  readonly stopIds?: readonly number[];
  /** Seed: sequence i draws from a generator of its own, seeded with (seed, i). */
  readonly seed: number;
}

/** One sampled sequence of T new tokens. */
export interface SampledSequence {
  /** [T], the stop token included. */
  readonly ids: Int32Array;
  /** [T] log-probability of each token under the raw softmax (temperature 1, nothing cut), nats: what training uses. */
  readonly logprobs: Float32Array;
  /** [T] log-probability under the distribution that was drawn from (temperature, topK, topP); 0 for greedy. */
  readonly samplingLogprobs: Float32Array;
  readonly stopReason: 'stop' | 'length';
}

/** Continuous batching over one version of the weights. */
export interface Sampler {
  /** Queues a request; it joins the batch at the next step with room. */
  submit(request: SampleRequest): Promise<SampledSequence[]>;
  /** Whether anything runs or waits. */
  isBusy(): boolean;
  /** Admits what waits, then decodes one token for every running sequence. */
  step(): Promise<void>;
  /** Rejects everything queued and running. */
  abort(reason: Error): void;
}

/** Options of {@link createSampler}. */
export interface SamplerOptions {
  readonly runtime: OnnxRuntime;
  readonly config: ModelConfig;
  /** Weights of this version, flat; not copied. */
  readonly weights: Float32Array;
  /** Sessions of the prefill and decode graphs, created with one thread: the results' independence of companions rests on it. */
  readonly sessions: { readonly prefill: InferenceSession; readonly decode: InferenceSession };
  /** Most sequences decoded together. @default 64 */
  readonly maxBatch?: number;
}

interface Pending {
  readonly request: SampleRequest;
  readonly finished: SampledSequence[];
  started: number;
  left: number;
  resolve(sequences: SampledSequence[]): void;
  reject(reason: Error): void;
}

interface Running {
  readonly pending: Pending;
  readonly index: number;
  readonly random: Random;
  readonly ids: number[];
  readonly logprobs: number[];
  readonly samplingLogprobs: number[];
  /** Position of the token that the next step reads. */
  position: number;
  token: number;
}

/** Prefixes kept for prompts that come again, as when several rollouts of a task begin. */
const REMEMBERED_PREFIXES = 32;

/**
 * Creates a sampler. A sequence depends on weights, prompt, choice, seed and its index only: it is bit-equal whatever
 * else is in flight. Rests on one thread, on caches padded to multiples of 64 and on at least two rows a step, since
 * matrix kernels treat a single row differently.
 */
export function createSampler({ runtime, config, weights, sessions, maxBatch = 64 }: SamplerOptions): Sampler {
  const weightFeeds: Record<string, Tensor> = {};
  for (const slot of weightLayout(config).slots) weightFeeds[slot.name] = new runtime.Tensor('float32', slotView(weights, slot), slot.shape);
  const sequenceFeeds = createSequenceFeeds(runtime, config);
  const waiting: Pending[] = [];
  const running: Running[] = [];
  const remembered = new Map<string, PromptPrefix>();
  const rows = paddedRows(maxBatch);
  let cache = createKeyValueCache(config, rows);

  async function prefixes(prompts: readonly Int32Array[]): Promise<(PromptPrefix | undefined)[]> {
    const keys = prompts.map((prompt) => prompt.join());
    const missing = new Map<string, Int32Array>();
    prompts.forEach((prompt, index) => {
      if (prompt.length > 1 && !remembered.has(keys[index]!)) missing.set(keys[index]!, prompt.subarray(0, -1));
    });
    const computed = await prefillPrompts([...missing.values()], { runtime, config, session: sessions.prefill, weights: weightFeeds, sequenceFeeds });
    [...missing.keys()].forEach((key, index) => remembered.set(key, computed[index]!));
    const found = keys.map((key) => remembered.get(key));
    for (const key of remembered.keys()) {
      if (remembered.size <= REMEMBERED_PREFIXES) break;
      remembered.delete(key);
    }
    return found;
  }

  async function admit(): Promise<void> {
    const admitted: { pending: Pending; index: number }[] = [];
    while (waiting.length > 0 && running.length + admitted.length < maxBatch) {
      const pending = waiting[0]!;
      admitted.push({ pending, index: pending.started++ });
      if (pending.started === (pending.request.count ?? 1)) waiting.shift();
    }
    if (admitted.length === 0) return;
    const found = await prefixes(admitted.map(({ pending }) => pending.request.prompt));
    const longest = Math.max(...running.map(({ position }) => position), ...admitted.map(({ pending }) => pending.request.prompt.length));
    cache = fitCache(cache, config, rows, longest);
    admitted.forEach(({ pending, index }, place) => {
      const { prompt, seed } = pending.request;
      writePrefix(cache, config, running.length, found[place]);
      running.push({
        pending, index, random: createRandom(seed, index), ids: [], logprobs: [], samplingLogprobs: [],
        position: prompt.length - 1, token: prompt[prompt.length - 1]!,
      });
    });
  }

  async function decode() {
    const batch = paddedRows(running.length);
    const tokens = new Int32Array(batch);
    const positions = new BigInt64Array(batch);
    const inverseTemperature = new Float32Array(batch).fill(1);
    running.forEach(({ token, position, pending }, row) => {
      tokens[row] = token;
      positions[row] = BigInt(position);
      inverseTemperature[row] = 1 / (pending.request.temperature || 1);
    });
    const { width, heads, layers } = config;
    const feeds: Record<string, Tensor> = {
      ...weightFeeds,
      tokens: new runtime.Tensor('int32', tokens, [batch]),
      positions: new runtime.Tensor('int64', positions, [batch, 1]),
      inverseTemperature: new runtime.Tensor('float32', inverseTemperature, [batch, 1]),
      cacheMask: new runtime.Tensor('float32', cache.mask.subarray(0, batch * cache.length), [batch, 1, 1, cache.length]),
    };
    cache.layers.forEach((layer, index) => {
      const size = batch * cache.length * width;
      feeds[`cacheKey.${index}`] = new runtime.Tensor('float32', layer.key.subarray(0, size), [batch, heads, width / heads, cache.length]);
      feeds[`cacheValue.${index}`] = new runtime.Tensor('float32', layer.value.subarray(0, size), [batch, heads, cache.length, width / heads]);
      feeds[`previous.${index}`] = new runtime.Tensor('float32', layer.previous.subarray(0, batch * width), [batch, width]);
    });
    const outputs = await sessions.decode.run(feeds);
    const data = (name: string) => outputs[name]!.data as Float32Array;
    const newRows: NewRows[] = Array.from({ length: layers }, (_, index) => ({ key: data(`key.${index}`), value: data(`value.${index}`), hidden: data(`hidden.${index}`) }));
    return { logprobs: data('logprobs'), probabilities: data('probabilities'), newRows };
  }

  function finish(row: number, stopReason: SampledSequence['stopReason']): void {
    const { pending, index, ids, logprobs, samplingLogprobs } = running[row]!;
    pending.finished[index] = {
      ids: Int32Array.from(ids), logprobs: Float32Array.from(logprobs), samplingLogprobs: Float32Array.from(samplingLogprobs), stopReason,
    };
    if (--pending.left === 0) pending.resolve(pending.finished);
    const last = running.pop()!;
    if (row === running.length) return;
    running[row] = last;
    moveRow(cache, config, running.length, row);
  }

  return {
    submit(request) {
      return new Promise((resolve, reject) => {
        assertRequest(request, config);
        waiting.push({ request, finished: [], started: 0, left: request.count ?? 1, resolve, reject });
      });
    },
    isBusy: () => waiting.length + running.length > 0,
    async step() {
      await admit();
      if (running.length === 0) return;
      cache = fitCache(cache, config, rows, Math.max(...running.map(({ position }) => position)) + 1);
      const { logprobs, probabilities, newRows } = await decode();
      const { vocabularySize } = config;
      // From the last row down, so that compaction moves only rows that are done with this step.
      for (let row = running.length - 1; row >= 0; row--) {
        const sequence = running[row]!;
        const { request } = sequence.pending;
        writeStep(cache, config, newRows, row, sequence.position);
        const { id, samplingLogprob } = pickToken(probabilities.subarray(row * vocabularySize, (row + 1) * vocabularySize), request, sequence.random);
        sequence.ids.push(id);
        sequence.logprobs.push(logprobs[row * vocabularySize + id]!);
        sequence.samplingLogprobs.push(samplingLogprob);
        sequence.position += 1;
        sequence.token = id;
        if (request.stopIds?.includes(id)) finish(row, 'stop');
        else if (sequence.ids.length >= request.maxTokens || request.prompt.length + sequence.ids.length >= config.contextTokens) finish(row, 'length');
      }
    },
    abort(reason) {
      for (const pending of new Set([...waiting, ...running.map((sequence) => sequence.pending)])) pending.reject(reason);
      waiting.length = 0;
      running.length = 0;
    },
  };
}

/** Rows of a decode step: few distinct batch sizes, never one row. */
function paddedRows(sequences: number): number {
  if (sequences <= 2) return 2;
  return sequences <= 8 ? Math.ceil(sequences / 2) * 2 : Math.ceil(sequences / 8) * 8;
}

function assertRequest({ prompt, count = 1, maxTokens, temperature = 1 }: SampleRequest, config: ModelConfig): void {
  if (prompt.length < 1 || prompt.length >= config.contextTokens) {
    throw new RangeError(`sample: expected a prompt of 1 to ${config.contextTokens - 1} tokens, got ${prompt.length}; shorten the conversation`);
  }
  const wrong = prompt.find((id) => id < 0 || id >= config.vocabularySize);
  if (wrong !== undefined) throw new RangeError(`sample: expected token ids below ${config.vocabularySize}, got ${wrong}`);
  if (!(count >= 1) || !(maxTokens >= 1)) throw new RangeError(`sample: expected count and maxTokens of at least 1, got ${count} and ${maxTokens}`);
  if (!(temperature >= 0)) throw new RangeError(`sample: expected a temperature of at least 0, got ${temperature}`);
}
