import type { OpenAI } from 'openai';
import { type ChatAnswer, type ChatFailure, chatFailure, lostAnswer } from './chat-failure.js';
import type { ChatRequest } from './chat-request.js';
import type { Clock } from './clock.js';
import { readChatBody } from './read-chat-body.js';
import { retryAfterMs } from './retry-after.js';
import { timeLimit } from './time-limit.js';

/**
 * One request, from its first byte to the last of its body, within the time. Whatever goes wrong at the endpoint comes
 * back as a failure; only the caller's signal throws. A `fetch` that heeds no signal is left behind.
 */
export async function sendChatRequest(options: {
  client: OpenAI;
  request: ChatRequest;
  timeoutMs: number;
  clock: Clock;
  signal?: AbortSignal;
}): Promise<ChatAnswer | ChatFailure> {
  const { client, request, timeoutMs, clock, signal } = options;
  const limit = timeLimit({ ms: timeoutMs, clock, signal });
  const answer = async () => {
    const response = await client.post('/chat/completions', { body: request, signal: limit.signal }).asResponse();
    return readChatBody(await response.text());
  };
  try {
    return await Promise.race([answer(), aborted(limit.signal)]);
  } catch (error) {
    signal?.throwIfAborted();
    if (limit.isOver()) return lostAnswer(`Expected an answer within ${timeoutMs} ms, received none.`);
    return failureOf(error, clock);
  } finally {
    limit.end();
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
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
