import { TadpoleError } from '@tadpole/contracts';
import { withoutKey } from '../without-key.js';
import { systemClock } from './clock.js';
import { type ServerAnswer, sendRequest } from './send-request.js';
import type { SamplingServer } from './server-options.js';

const FIRST_WAIT_MS = 500;
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const EXCERPT_LENGTH = 300;

/** What a read answer is: a value, or why the same request is worth another try. */
export type Reading<Value> = { readonly value: Value } | { readonly problem: string };

/** A server that samples, as this package asks it. */
export interface EngineServer {
  /** An error about this server; the key is taken out of its text. */
  failure(text: string): TadpoleError;
  /**
   * Asks, and asks again after 408, 429, 5xx, a lost or an unreadable answer. `read` gets the parsed body of a 2xx answer.
   * @throws TadpoleError `engine` or `aborted`.
   */
  ask<Value>(request: EngineRequest<Value>): Promise<Value>;
}

/** One request to an {@link EngineServer}. */
export interface EngineRequest<Value> {
  readonly path: string;
  /** Sent as JSON by POST; a GET without one. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Tries after the first. @default the server's `maxRetries` */
  readonly maxRetries?: number;
  read(body: unknown, text: string): Reading<Value>;
  /** Answers other statuses than 2xx itself, where it can. */
  onStatus?(answer: ServerAnswer): { readonly value: Value } | undefined;
  readonly signal?: AbortSignal;
}

/** @throws TadpoleError `invalid-config` when the URL is none. */
export function createEngineServer(options: SamplingServer & { name: string }): EngineServer {
  const { name, apiKey, maxRetries = 5, timeoutMs = 1_800_000, longestWaitMs = 30_000, maxAnswerBytes = 268_435_456 } = options;
  const { random = Math.random, clock = systemClock } = options;
  const base = parseUrl(options.url, name);
  const failure = (text: string): TadpoleError =>
    new TadpoleError({ code: 'engine', message: withoutKey(`${name} at ${base.host}: ${text}`, apiKey) });
  const aborted = (): TadpoleError =>
    new TadpoleError({ code: 'aborted', message: `${name} at ${base.host}: expected an answer, received the signal to stop.` });

  async function send(request: {
    path: string;
    body?: Readonly<Record<string, unknown>>;
    signal?: AbortSignal;
  }): Promise<ServerAnswer | Lost> {
    const { path, body, signal } = request;
    const over = AbortSignal.timeout(Math.min(timeoutMs, LONGEST_TIMER_MS));
    try {
      return await sendRequest({
        url: new URL(`${base.pathname.replace(/\/$/, '')}${path}`, base),
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'content-type': 'application/json', ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        maxBytes: maxAnswerBytes,
        signal: signal === undefined ? over : AbortSignal.any([signal, over]),
      });
    } catch (error) {
      if (signal?.aborted) throw aborted();
      return { problem: over.aborted ? `expected an answer within ${timeoutMs} ms, received none` : describe(error) };
    }
  }

  async function tryOnce<Value>(request: EngineRequest<Value>): Promise<{ value: Value } | Lost> {
    const answer = await send(request);
    if ('problem' in answer) return answer;
    const { status, text, retryAfterMs } = answer;
    if (status >= 200 && status < 300) return request.read(parseJson(text), text);
    const own = request.onStatus?.(answer);
    if (own !== undefined) return own;
    const problem = `expected status 200, received ${status}: ${excerpt(text)}`;
    if (status !== 408 && status !== 429 && status < 500) throw failure(`${request.path}: ${problem}${adviceFor(status)}`);
    return { problem, ...(retryAfterMs === undefined ? {} : { waitMs: retryAfterMs }) };
  }

  /** What the server asks for; otherwise twice as long each time, less up to a quarter. */
  async function pause(options: { askedMs: number | undefined; tries: number; signal?: AbortSignal }): Promise<void> {
    const { askedMs = FIRST_WAIT_MS * 2 ** (options.tries - 1) * (1 - random() / 4), signal } = options;
    try {
      await clock.sleep({ ms: Math.min(longestWaitMs, askedMs), ...(signal === undefined ? {} : { signal }) });
    } catch (error) {
      throw signal?.aborted ? aborted() : error;
    }
  }

  return {
    failure,
    async ask(request) {
      const { path, signal } = request;
      for (let tries = 1; ; tries += 1) {
        if (signal?.aborted) throw aborted();
        const outcome = await tryOnce(request);
        if ('value' in outcome) return outcome.value;
        if (tries > (request.maxRetries ?? maxRetries))
          throw failure(`${path}: ${outcome.problem}${tries === 1 ? '' : ` (${tries} tries)`}.`);
        await pause({ askedMs: outcome.waitMs, tries, ...(signal === undefined ? {} : { signal }) });
      }
    },
  };
}

interface Lost {
  readonly problem: string;
  readonly waitMs?: number;
}

function parseUrl(text: string, name: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new TadpoleError({ code: 'invalid-config', message: `${name}: expected url as http://host:port, got one that is not.` });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describe(error: unknown): string {
  return `expected an answer, lost the connection: ${excerpt(error instanceof Error ? error.message : String(error))}`;
}

/** The beginning of a text that a server wrote, on one line. */
export function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line === '') return 'nothing';
  return line.length > EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH)}…` : line;
}

function adviceFor(status: number): string {
  return status === 401 || status === 403 ? '. Set apiKey to the key that the server was started with.' : '';
}
