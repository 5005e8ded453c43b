import type { OpenAI } from 'openai';
import { type ChatAnswer, type ChatFailure, chatFailure, lostAnswer } from './chat-failure.js';
import type { ChatRequest } from './chat-request.js';
import type { Clock } from './clock.js';
import { readChatBody } from './read-chat-body.js';
import { retryAfterMs } from './retry-after.js';

/**
 * One request, from its first byte to the last of its body, within the time. Whatever goes wrong at the endpoint comes
 * back as a failure; only the caller's signal throws.
 */
export async function sendChatRequest(options: {
  client: OpenAI;
  request: ChatRequest;
  timeoutMs: number;
  clock: Clock;
  signal?: AbortSignal;
}): Promise<ChatAnswer | ChatFailure> {
  const { client, request, timeoutMs, clock, signal } = options;
  const timeout = new AbortController();
  const answered = new AbortController();
  clock.sleep({ ms: timeoutMs, signal: answered.signal }).then(
    () => timeout.abort(),
    () => {},
  );
  const either = signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]);
  try {
    const response = await client.post('/chat/completions', { body: request, signal: either }).asResponse();
    return readChatBody(await response.text());
  } catch (error) {
    signal?.throwIfAborted();
    if (timeout.signal.aborted) return lostAnswer(`Expected an answer within ${timeoutMs} ms, received none.`);
    return failureOf(error, clock);
  } finally {
    answered.abort();
  }
}

/** A thrown error by its form: the client's own classes would be those of a second copy of the package as often as not. */
function failureOf(error: unknown, clock: Clock): ChatFailure {
  const { status, headers, message, error: body, cause } = error as Partial<InstanceType<typeof OpenAI.APIError>> & { cause?: unknown };
  if (typeof status === 'number') {
    return chatFailure({
      status,
      text: message ?? '',
      body,
      retryAfterMs: headers === undefined ? undefined : retryAfterMs({ headers, nowMs: clock.now() }),
    });
  }
  return lostAnswer([message ?? String(error), ...causes(cause)].join(' '));
}

function causes(cause: unknown): string[] {
  return cause instanceof Error ? [cause.message, ...causes(cause.cause)] : [];
}
