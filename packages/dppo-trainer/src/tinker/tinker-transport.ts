import { TadpoleError } from '@tadpole/contracts';
import { errorBodySchema } from '@tadpole/contracts/tinker';
import { withoutKey } from '../without-key.js';
import { abortedError } from './aborted-error.js';
import { TinkerFailure, type TinkerFailureKind } from './tinker-failure.js';

/** How requests reach a server. */
export interface TransportOptions {
  /** For instance `http://127.0.0.1:8000`; paths begin with `/api/v1`. */
  readonly baseUrl: string;
  /** Sent as `X-API-Key`; never part of an error. */
  readonly apiKey?: string | undefined;
  /** Tries of a request that found no answer, or 429 or 5xx. @default 10 */
  readonly tries?: number;
  /** First wait between two tries; it doubles up to twenty times as much. @default 500 */
  readonly backoffMs?: number;
  /** Wall time of one try. @default 45000 */
  readonly timeoutMs?: number;
  /** Uniform in [0, 1); spreads waits and makes idempotency keys. */
  readonly random: () => number;
  /** @default setTimeout */
  readonly sleep?: (options: { ms: number; signal: AbortSignal | undefined }) => Promise<void>;
}

/** A request below `/api/v1`. */
export interface TinkerRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly json?: object;
  /** Sent instead of JSON. */
  readonly protobuf?: Uint8Array;
  readonly takesProtobuf?: boolean;
  /** Statuses that the caller handles. */
  readonly expected?: readonly number[];
  readonly signal?: AbortSignal | undefined;
}

/** An answer: what its JSON holds, or its bytes where it is protobuf. */
export interface TinkerAnswer {
  readonly status: number;
  readonly json?: unknown;
  readonly protobuf?: Uint8Array;
}

/** Sends requests, and sends them again under the same idempotency key where that may help. @throws TinkerFailure; TadpoleError `aborted` */
export type Transport = (request: TinkerRequest) => Promise<TinkerAnswer>;

/** A server that asks for more is asked again all the same. */
const mostRetryAfterMs = 60_000;

/** A server that says more is not read on. */
const mostResponseBytes = 2 ** 28;

/**
 * A transport over `fetch`. Redirects are not followed, since a key would go along.
 *
 * @throws TadpoleError `invalid-config` for an address that is none, or holds a password; for a key that no header can carry; for numbers that are none.
 */
export function createTransport(options: TransportOptions): Transport {
  const { baseUrl, tries = 10, backoffMs = 500, random, sleep = wait } = options;
  assertOptions(options);
  const base = baseUrl.replace(/\/+$/, '');
  return async (request) => {
    const key = Array.from({ length: 4 }, () => Math.floor(random() * 2 ** 32).toString(16)).join('-');
    for (let tried = 1; ; tried += 1) {
      const outcome = await attempt({ ...options, base, request, key });
      if (!(outcome instanceof TinkerFailure)) return outcome;
      const mayHelp = outcome.kind === 'unreachable' || outcome.kind === 'busy';
      if (!mayHelp || tried >= tries) throw outcome;
      const ownMs = backoffMs * Math.min(20, 2 ** (tried - 1)) * (0.5 + random() / 2);
      await sleep({ ms: Math.max(ownMs, Math.min(outcome.retryAfterMs ?? 0, mostRetryAfterMs)), signal: request.signal });
    }
  };
}

async function attempt(
  options: TransportOptions & { base: string; request: TinkerRequest; key: string },
): Promise<TinkerAnswer | TinkerFailure> {
  const { base, request, key, apiKey, timeoutMs = 45_000 } = options;
  const { path, json, protobuf, signal, expected = [] } = request;
  if (signal?.aborted) throw abortedError(signal);
  const method = request.method ?? 'POST';
  const limit = AbortSignal.timeout(timeoutMs);
  const where = `${method} ${base}/api/v1${path}`;
  try {
    const response = await fetch(`${base}/api/v1${path}`, {
      method,
      headers: headersOf({ request, method, key, apiKey }),
      body: protobuf ? Buffer.from(protobuf) : json ? JSON.stringify(json) : null,
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      redirect: 'manual',
    });
    const bytes = keyless(await readBody({ response, where }), apiKey);
    const { status } = response;
    const isExpected = status < 300 || expected.includes(status);
    if (isExpected && response.headers.get('content-type')?.startsWith('application/x-protobuf')) return { status, protobuf: bytes };
    if (isExpected) return { status, json: parseJson(bytes, where) };
    const retryAfterMs = retryAfterOf(response);
    return new TinkerFailure({ kind: kindOf(status), status, retryAfterMs, message: `${where} answered ${status}: ${detailOf(bytes)}` });
  } catch (cause) {
    if (cause instanceof TinkerFailure) return cause;
    if (signal?.aborted) throw abortedError(signal);
    const why = limit.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(cause);
    return new TinkerFailure({ kind: 'unreachable', message: `${where}: ${why}`, cause });
  }
}

function assertOptions({ baseUrl, apiKey, tries = 10, timeoutMs = 45_000 }: TransportOptions): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    const got = url === undefined ? JSON.stringify(baseUrl.slice(0, 100)) : `one of ${url.protocol}//${url.host}`;
    throw invalid(`expected baseUrl to be an http or https address without a name or password, got ${got}`);
  }
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw invalid('expected an API key of visible ASCII characters without spaces and line ends, got another');
  }
  if (!(Number.isInteger(tries) && tries >= 1)) throw invalid(`expected a number of tries from 1, got ${tries}`);
  if (!(timeoutMs > 0 && timeoutMs <= 2_147_483_647)) throw invalid(`expected timeoutMs from 1 to 2147483647, got ${timeoutMs}`);
}

function invalid(problem: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-config', message: `Tinker server: ${problem}.` });
}

/** @throws TinkerFailure `malformed` for a body that is too long */
async function readBody({ response, where }: { response: Response; where: string }): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > mostResponseBytes) {
      throw new TinkerFailure({ kind: 'malformed', message: `${where}: expected at most ${mostResponseBytes} bytes, got more` });
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** A body as it came, unless the key is in it. */
function keyless(bytes: Buffer, apiKey: string | undefined): Buffer {
  return apiKey !== undefined && bytes.includes(apiKey) ? Buffer.from(withoutKey(bytes.toString('utf8'), apiKey)) : bytes;
}

/** Seconds; a date is not read. */
function retryAfterOf({ headers }: Response): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? 1000 * seconds : undefined;
}

function headersOf(options: { request: TinkerRequest; method: string; key: string; apiKey: string | undefined }): Record<string, string> {
  const { request, method, key, apiKey } = options;
  const type = request.protobuf ? 'application/x-protobuf' : request.json ? 'application/json' : undefined;
  return {
    ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
    ...(method === 'POST' ? { 'x-idempotency-key': key } : {}),
    ...(type === undefined ? {} : { 'content-type': type }),
    ...(request.takesProtobuf ? { accept: 'application/x-protobuf' } : {}),
  };
}

function kindOf(status: number): TinkerFailureKind {
  if (status === 401 || status === 403) return 'unauthorised';
  if (status === 402) return 'billing';
  if (status === 404) return 'not-found';
  if (status === 410) return 'expired';
  return status === 408 || status === 425 || status === 429 || status >= 500 ? 'busy' : 'refused';
}

function detailOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  try {
    const { detail } = errorBodySchema.parse(JSON.parse(text));
    const said = typeof detail === 'string' ? detail : detail.map(({ loc = [], msg }) => `${loc.join('.')}: ${msg}`).join('; ');
    return said.slice(0, 500);
  } catch {
    return text.slice(0, 200).trim() || 'nothing';
  }
}

function parseJson(bytes: Buffer, where: string): unknown {
  if (bytes.length === 0) return null;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new TinkerFailure({
      kind: 'malformed',
      message: `${where}: expected JSON, got ${JSON.stringify(bytes.toString('utf8').slice(0, 100))}`,
    });
  }
}

/** `fetch` says why in a cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}

function wait({ ms, signal }: { ms: number; signal: AbortSignal | undefined }): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(abortedError(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
