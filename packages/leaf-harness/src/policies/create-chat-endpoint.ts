import { TadpoleError } from '@tadpole/contracts';
import type { OpenAI } from 'openai';
import { boundedFetch } from './bounded-fetch.js';
import type { ChatCompletion } from './chat-completion.js';
import type { ChatAnswer, ChatFailure } from './chat-failure.js';
import { assertChatPolicyOptions, type ChatPolicyOptions } from './chat-policy-options.js';
import type { ChatRequest } from './chat-request.js';
import { systemClock } from './clock.js';
import { createAdaptiveLimiter, type RequestPermit } from './create-adaptive-limiter.js';
import { patientFetch } from './patient-fetch.js';
import { sendChatRequest } from './send-chat-request.js';
import { timeLimit } from './time-limit.js';
import { turnSeed } from './turn-seed.js';

/** Asks until an answer comes or none is to be had. */
export interface ChatEndpoint {
  /** @returns the answer, or `context-full` where the endpoint says that the prompt does not fit. */
  complete(options: { request: ChatRequest; signal?: AbortSignal }): Promise<ChatCompletion | 'context-full'>;
  /** A `policy` error of this endpoint with an own text, which repeats nothing that the endpoint wrote. */
  failure(text: string): TadpoleError;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;
const LONGEST_TEXT = 2000;

/** An endpoint with its client, limiter and retries; the state that all calls of a policy share. */
export function createChatEndpoint(options: ChatPolicyOptions): ChatEndpoint {
  assertChatPolicyOptions(options);
  const { timeoutMs = 7_200_000, maxRetries = 5, patienceMs = 3_600_000, clock = systemClock } = options;
  const limiter = options.limiter ?? createAdaptiveLimiter({ clock });
  const { origin, pathname } = new URL(options.baseUrl);
  let client: Promise<OpenAI> | undefined;

  const failure = (text: string) =>
    new TadpoleError({ code: 'policy', message: `Policy ${options.model} at ${origin}${pathname}: ${text.slice(0, LONGEST_TEXT)}` });

  /** What may stand in an error: the key is replaced before the text is cut, or a part of it would stay. */
  function excerpt(text: string): string {
    const spellings = new Set([options.apiKey, JSON.stringify(options.apiKey).slice(1, -1)]);
    const concealed = [...spellings].reduce((rest, key) => rest.replaceAll(key, '[api key]'), text);
    return concealed.length <= LONGEST_TEXT / 2 ? concealed : `${concealed.slice(0, LONGEST_TEXT / 2)}… (${text.length} characters)`;
  }

  async function complete(call: {
    request: ChatRequest;
    /** Keeps what the endpoint said instead of answering. */
    onFailure: (text: string) => void;
    signal?: AbortSignal;
  }): Promise<ChatCompletion | 'context-full'> {
    const { request, signal } = call;
    client ??= createClient(options);
    const ready = await client;
    for (let requests = 1, retries = 0, waitedMs = 0; ; requests += 1) {
      const askedMs = clock.now();
      const permit = await waitForPlace({ ...call, ms: Math.max(0, patienceMs - waitedMs) });
      waitedMs += clock.now() - askedMs;
      const answer = await sendInTurn({ client: ready, request, signal, permit });
      if (answer.kind === 'answered') return answer.completion;
      if (answer.kind === 'context') return 'context-full';
      if (answer.kind === 'transient') retries += 1;
      const waitMs = waitBefore({ failure: answer, requests, seed: request.seed });
      const text = excerpt(answer.text) + countOf(requests);
      if (answer.kind === 'final' || retries > maxRetries) throw failure(text);
      call.onFailure(text);
      waitedMs += waitMs;
      if (waitedMs > patienceMs)
        throw failure(`${text} Expected to wait ${patienceMs} ms at most, asked to wait ${waitedMs} ms. Raise patienceMs.`);
      await clock.sleep({ ms: waitMs, signal });
    }
  }

  /** A place at the limiter, within the time that patience leaves. */
  async function waitForPlace(call: { ms: number; onFailure: (text: string) => void; signal?: AbortSignal }): Promise<RequestPermit> {
    const { ms, signal, onFailure } = call;
    const sinceMs = clock.now();
    const limit = timeLimit({ ms, clock, signal });
    try {
      return await limiter.acquire({ signal: limit.signal });
    } catch (error) {
      if (signal?.aborted || !limit.isOver()) throw error;
      throw failure(`Expected a place at the limiter within ${patienceMs} ms of waiting, received none. Raise patienceMs.`);
    } finally {
      limit.end();
      if (limiter.pausedUntilMs > sinceMs) onFailure('It asked for a pause of all requests.');
    }
  }

  async function sendInTurn(call: {
    client: OpenAI;
    request: ChatRequest;
    permit: RequestPermit;
    signal?: AbortSignal;
  }): Promise<ChatAnswer | ChatFailure> {
    const { permit } = call;
    try {
      const answer = await sendChatRequest({ ...call, timeoutMs, clock });
      if (answer.kind === 'answered') permit.release({ outcome: 'answered' });
      else
        permit.release({
          outcome: answer.isOverload ? 'overloaded' : 'neither',
          pauseMs: Math.min(answer.retryAfterMs ?? 0, patienceMs),
        });
      return answer;
    } finally {
      permit.release({ outcome: 'neither' });
    }
  }

  return {
    failure,
    async complete(call) {
      let said: string | undefined;
      try {
        return await complete({
          ...call,
          onFailure: (text) => {
            said = text;
          },
        });
      } catch (error) {
        if (!call.signal?.aborted) throw error;
        // Time that went by because the endpoint refused is the endpoint's failure, not the policy's.
        if (said !== undefined) throw failure(`${said} Expected an answer, received the signal to stop while it was asked again.`);
        throw new TadpoleError({ code: 'aborted', message: `Policy ${options.model}: expected an answer, received the signal to stop.` });
      }
    },
  };
}

function countOf(requests: number): string {
  return requests === 1 ? '' : ` (${requests} requests)`;
}

/** What the endpoint asks for; otherwise twice as long each time, less up to a quarter that differs between turns. */
function waitBefore(options: { failure: ChatFailure; requests: number; seed: number }): number {
  const { failure, requests, seed } = options;
  if (failure.retryAfterMs !== undefined) return Math.max(FIRST_WAIT_MS, failure.retryAfterMs);
  const spread = turnSeed({ seed, turn: requests }) / 2 ** 32;
  return Math.round(Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (requests - 1)) * (1 - spread / 4));
}

async function createClient({ baseUrl, apiKey, fetch = patientFetch, maxResponseBytes = 67_108_864 }: ChatPolicyOptions): Promise<OpenAI> {
  const { OpenAI } = await import('openai').catch((cause: unknown) => {
    throw new TadpoleError({
      code: 'missing-dependency',
      message: 'Expected the package openai, which chat policies use. Install it beside @tadpole/leaf-harness.',
      cause,
    });
  });
  return new OpenAI({
    baseURL: baseUrl,
    apiKey,
    adminAPIKey: null,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    fetch: boundedFetch({ fetch, maxBytes: maxResponseBytes }),
  });
}
