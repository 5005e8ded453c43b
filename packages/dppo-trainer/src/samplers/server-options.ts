import type { SamplerClock } from './clock.js';

/** Where a sampling server is, and how patiently it is asked. */
export interface SamplingServer {
  /** Without `/v1`, for instance `http://127.0.0.1:8000`. */
  readonly url: string;
  /** Sent as a bearer token; appears in no error. @default none */
  readonly apiKey?: string;
  /** Tries of one request after the first, for 408, 429, 5xx and lost answers. @default 5 */
  readonly maxRetries?: number;
  /** A try that has taken longer is given up, in milliseconds. @default 1800000 */
  readonly timeoutMs?: number;
  /** Longest wait between two tries in milliseconds, also where the server asks for a longer one. @default 30000 */
  readonly longestWaitMs?: number;
  /** Bytes of one answer at most. @default 268435456 */
  readonly maxAnswerBytes?: number;
  /** Draws in [0, 1), spreads the tries of many callers. @default Math.random */
  readonly random?: () => number;
  /** @default the machine's clock */
  readonly clock?: SamplerClock;
}

/** What a sampler of an engine needs to know besides its server. */
export interface EngineSamplerOptions extends SamplingServer {
  /** Longest prompt plus continuation in tokens: the server's own setting. */
  readonly contextTokens: number;
  /** Ids run from 0 to this number less one; answers are held against it. @default any id */
  readonly vocabularySize?: number;
  /** Requests in flight at most for one call of `sample`. @default 8 */
  readonly concurrency?: number;
}
