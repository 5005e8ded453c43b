import { TadpoleError } from '@tadpole/contracts';
import type { OpenAI } from 'openai';
import type { Clock } from './clock.js';
import type { ReadyEndpoint } from './model-endpoint.js';
import { lostAnswer, type Reply, readCompletion, readStatus } from './read-completion.js';

/** The body of a chat-completions request, as plain JSON. */
export type RequestBody = Readonly<Record<string, unknown>>;

/** Sends one request; whatever goes wrong at the endpoint comes back as a reply, only the caller's signal throws. */
export type SendRequest = (options: { body: RequestBody; signal: AbortSignal | undefined }) => Promise<Reply>;

/** The package `openai` is loaded with the first request. @throws TadpoleError from a request, `missing-dependency`. */
export function createSender(options: { endpoint: ReadyEndpoint; clock: Clock }): SendRequest {
  const { endpoint, clock } = options;
  let client: Promise<OpenAI> | undefined;
  return async ({ body, signal }) => {
    client ??= createClient(endpoint);
    const ready = await client;
    const limit = AbortSignal.timeout(endpoint.timeoutMs);
    const either = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    try {
      const response = await ready.post('/chat/completions', { body, signal: either }).asResponse();
      return readCompletion(await response.text());
    } catch (error) {
      signal?.throwIfAborted();
      if (limit.aborted) return lostAnswer(`no answer within ${endpoint.timeoutMs} ms`, 'timeout');
      return replyOf(error, clock);
    }
  };
}

/** A thrown error by its form: the client's own classes would be those of a second copy of the package as often as not. */
function replyOf(error: unknown, clock: Clock): Reply {
  const { status, headers, message = String(error), cause } = error as Partial<InstanceType<typeof OpenAI.APIError>> & { cause?: unknown };
  if (typeof status !== 'number') return lostAnswer([message, ...causes(cause)].join(' '));
  const { error: body } = error as { error?: unknown };
  const wait = headers === undefined ? undefined : retryAfterMs({ headers, nowMs: clock.now() });
  return readStatus({
    status,
    text: `${message} ${JSON.stringify(body) ?? ''}`,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  });
}

function causes(cause: unknown): string[] {
  return cause instanceof Error ? [cause.message, ...causes(cause.cause)] : [];
}

/** `Retry-After` as seconds or as a date (RFC 9110 section 10.2.3). */
function retryAfterMs(options: { headers: Headers; nowMs: number }): number | undefined {
  const value = options.headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - options.nowMs);
}

async function createClient({ baseURL, apiKey, fetch }: ReadyEndpoint): Promise<OpenAI> {
  const { OpenAI } = await import('openai').catch((cause: unknown) => {
    throw new TadpoleError({
      code: 'missing-dependency',
      message: 'Expected the package openai, through which models are asked. Install it beside @tadpole/taskpilot.',
      cause,
    });
  });
  return new OpenAI({
    baseURL,
    apiKey,
    adminAPIKey: null,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    ...(fetch === undefined ? {} : { fetch }),
  });
}
