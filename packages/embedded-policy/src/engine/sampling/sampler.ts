import type { GraphSession, OnnxRuntime } from '../load-runtime.js';
import type { ModelConfig } from '../model/model-config.js';
import { createSequenceFeeds } from '../model/sequence-feeds.js';
import { weightFeeds } from '../model/weight-feeds.js';
import { createRandom, type Random } from '../random.js';
import { decodeRows, paddedRows } from './decode.js';
import type { DecodeSessions } from './decode-sessions.js';
import { createKeyValueCache, fitCache, type KeyValueCache, moveRow, writePrefix, writeStep } from './key-value-cache.js';
import { pickToken } from './pick-token.js';
import { createPrefixStore } from './prefix-store.js';
import { assertSampleRequest, type SampleRequest, type TokenSequence } from './sample-request.js';

/** Continuous batching over one version of the weights. */
export interface BatchSampler {
  /** Queues a request; it joins the batch at the next step with room. Rejects with `invalid-input` or the signal's reason. */
  submit(request: SampleRequest, signal?: AbortSignal): Promise<TokenSequence[]>;
  /** Whether anything runs or waits. */
  isBusy(): boolean;
  /** Admits what waits, then decodes one token for every running sequence. */
  step(): Promise<void>;
  /** Rejects everything queued and running. */
  abort(reason: Error): void;
}

/** Sessions of the prefill and decode graphs; created with one thread, see {@link createBatchSampler}. */
export interface SamplingSessions {
  readonly prefill: GraphSession;
  readonly decode: DecodeSessions;
}

/** Options of {@link createBatchSampler}. */
export interface BatchSamplerOptions {
  readonly runtime: OnnxRuntime;
  readonly config: ModelConfig;
  /** Weights of this version, flat; not copied, must not change. */
  readonly weights: Float32Array;
  readonly sessions: SamplingSessions;
  /** Most sequences decoded together. */
  readonly maxBatch: number;
}

interface Pending {
  readonly request: SampleRequest;
  readonly finished: TokenSequence[];
  readonly signal: AbortSignal | undefined;
  started: number;
  left: number;
  resolve(sequences: TokenSequence[]): void;
  reject(reason: unknown): void;
}

interface Running {
  readonly pending: Pending;
  readonly index: number;
  readonly random: Random;
  readonly ids: number[];
  readonly logprobs: number[];
  readonly samplingLogprobs: number[];
  readonly temperature: number;
  /** Position of the token that the next step reads. */
  position: number;
  token: number;
  previousToken: number | undefined;
}

/**
 * Creates a sampler. A sequence depends on weights, prompt, choice, seed and its index only: it is bit-equal whatever
 * else is in flight. That rests on one thread (kernels split work by batch size otherwise), on caches and prompts padded
 * to multiples of 64 and on weights that are constants of the decode graph: a single row of feeds is summed otherwise
 * than several.
 */
export function createBatchSampler({ runtime, config, weights, sessions, maxBatch }: BatchSamplerOptions): BatchSampler {
  const prefill = {
    runtime,
    config,
    weights: weightFeeds(runtime, config, weights),
    session: sessions.prefill,
    sequenceFeeds: createSequenceFeeds(runtime, config),
  };
  const waiting: Pending[] = [];
  const running: Running[] = [];
  let prefixesOf = createPrefixStore(prefill);
  let cache: KeyValueCache | undefined;

  /** An idle sampler keeps its weights, and its decode session while there is room. */
  function rest(): void {
    cache = undefined;
    prefixesOf = createPrefixStore(prefill);
    sessions.decode.rest(weights);
  }

  /** A cache that is too small doubles, so that requests that come one by one do not copy it each time. */
  function roomFor(rows: number): number {
    if (cache === undefined || rows <= cache.rows) return rows;
    return Math.max(rows, Math.min(2 * cache.rows, paddedRows(maxBatch)));
  }

  async function admit(): Promise<void> {
    const admitted = takeWaiting(waiting, maxBatch - running.length);
    if (admitted.length === 0) return;
    const prefixes = await prefixesOf(admitted.map(({ pending }) => pending.request.prompt));
    const longest = Math.max(
      ...running.map(({ position }) => position + 1),
      ...admitted.map(({ pending }) => pending.request.prompt.length),
    );
    const rows = paddedRows(running.length + admitted.length);
    const fitted = fitCache(cache ?? createKeyValueCache(config, rows), config, { rows: roomFor(rows), positions: longest });
    cache = fitted;
    admitted.forEach(({ pending, index }, place) => {
      writePrefix(fitted, config, running.length, prefixes[place]);
      running.push(start(pending, index));
    });
  }

  function leave(row: number, from: KeyValueCache): void {
    const last = running.pop()!;
    if (row === running.length) return;
    running[row] = last;
    moveRow(from, config, running.length, row);
  }

  function dropAborted(): void {
    const isAborted = ({ signal }: Pending) => signal?.aborted === true;
    for (const pending of new Set([...waiting, ...running.map((sequence) => sequence.pending)])) {
      if (isAborted(pending)) pending.reject(pending.signal?.reason);
    }
    waiting.splice(0, waiting.length, ...waiting.filter((pending) => !isAborted(pending)));
    for (let row = running.length - 1; row >= 0; row--) if (isAborted(running[row]!.pending)) leave(row, cache!);
  }

  return {
    submit: (request, signal) =>
      new Promise((resolve, reject) => {
        assertSampleRequest(request, config);
        waiting.push({ request, signal, finished: [], started: 0, left: request.count ?? 1, resolve, reject });
      }),
    isBusy: () => waiting.length + running.length > 0,
    async step() {
      dropAborted();
      await admit();
      if (cache === undefined || running.length === 0) return;
      const session = await sessions.decode.open(weights);
      const positions = Math.max(...running.map(({ position }) => position + 1));
      const fitted = fitCache(cache, config, { rows: cache.rows, positions });
      const { logprobs, probabilities, newRows } = await decodeRows(running, fitted, { runtime, config, session });
      const size = config.vocabularySize;
      // From the last row down, so that compaction moves only rows that are done with this step.
      for (let row = running.length - 1; row >= 0; row--) {
        const sequence = running[row]!;
        writeStep(fitted, config, newRows, row, sequence.position);
        const picked = pickToken(probabilities.subarray(row * size, (row + 1) * size), sequence.pending.request, sequence.random);
        const stopReason = extend(sequence, picked, logprobs[row * size + picked.id]!, config);
        if (stopReason === undefined) continue;
        finish(sequence, stopReason);
        leave(row, fitted);
      }
      cache = fitted;
      if (waiting.length + running.length === 0) rest();
    },
    abort(reason) {
      for (const pending of new Set([...waiting, ...running.map((sequence) => sequence.pending)])) pending.reject(reason);
      waiting.length = 0;
      running.length = 0;
      rest();
      sessions.decode.close(weights);
    },
  };
}

function takeWaiting(waiting: Pending[], room: number): { pending: Pending; index: number }[] {
  const taken: { pending: Pending; index: number }[] = [];
  while (waiting.length > 0 && taken.length < room) {
    const pending = waiting[0]!;
    taken.push({ pending, index: pending.started++ });
    if (pending.started === (pending.request.count ?? 1)) waiting.shift();
  }
  return taken;
}

function start(pending: Pending, index: number): Running {
  const { prompt, seed, temperature = 1 } = pending.request;
  const position = prompt.length - 1;
  return {
    pending,
    index,
    random: createRandom(seed, index),
    ids: [],
    logprobs: [],
    samplingLogprobs: [],
    temperature,
    position,
    token: prompt[position]!,
    previousToken: prompt[position - 1],
  };
}

/** Adds a token to a sequence; says why the sequence ends with it, if it does. */
function extend(
  sequence: Running,
  picked: { id: number; samplingLogprob: number },
  logprob: number,
  config: ModelConfig,
): TokenSequence['stopReason'] | undefined {
  const { prompt, stopIds, maxTokens } = sequence.pending.request;
  sequence.ids.push(picked.id);
  sequence.logprobs.push(logprob);
  sequence.samplingLogprobs.push(picked.samplingLogprob);
  sequence.position += 1;
  sequence.previousToken = sequence.token;
  sequence.token = picked.id;
  if (stopIds?.includes(picked.id)) return 'stop';
  return sequence.ids.length >= maxTokens || prompt.length + sequence.ids.length >= config.contextTokens ? 'length' : undefined;
}

function finish({ pending, index, ids, logprobs, samplingLogprobs }: Running, stopReason: TokenSequence['stopReason']): void {
  pending.finished[index] = {
    ids: Int32Array.from(ids),
    logprobs: Float32Array.from(logprobs),
    samplingLogprobs: Float32Array.from(samplingLogprobs),
    stopReason,
  };
  pending.left -= 1;
  if (pending.left === 0) pending.resolve(pending.finished);
}
