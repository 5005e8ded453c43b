import { isTadpoleError, type Policy, TadpoleError } from '@tadpole/contracts';
import type { OpenAI } from 'openai';
import { chatRequest } from './chat-request.js';
import { chatResponse, type TokenPrice } from './chat-response.js';

/** What `createChatPolicy` needs. */
export interface ChatPolicyOptions {
  /** Up to and including the version, for instance `http://localhost:8000/v1`. */
  readonly baseUrl: string;
  /** Sent to the endpoint and kept out of every message of an error. */
  readonly apiKey: string;
  readonly model: string;
  /** For records. @default the model */
  readonly name?: string;
  /** Further members of the request's body, for instance `{ chat_template_kwargs: { enable_thinking: true } }`. @default none */
  readonly extraBody?: Readonly<Record<string, unknown>>;
  /** Time of one request. @default 7_200_000, FrogNano's (frognano.md section 2.1) */
  readonly timeoutMs?: number;
  /** Further tries after a lost connection, 408, 409, 429 or 5xx, with growing waits. @default 5, FrogNano's */
  readonly maxRetries?: number;
  /** @default none: the policy reports no cost */
  readonly price?: TokenPrice;
}

/**
 * A policy at an OpenAI-compatible chat-completions endpoint, one request a turn without streaming. Keeps
 * `reasoning_content` in the history. An endpoint's "context is full" is the stop reason `context`, not a throw. It
 * records no token ids, so its rollouts can be evaluated and not trained on; for training use `createTokenPolicy`.
 *
 * The package `openai` is an optional peer, loaded with the first request.
 */
export function createChatPolicy(options: ChatPolicyOptions): Policy {
  let client: Promise<OpenAI> | undefined;
  return {
    name: options.name ?? options.model,
    async respond({ messages, tools, sampling, signal }) {
      const { model, extraBody = {}, price } = options;
      const request = chatRequest({ model, messages, tools, sampling, extraBody });
      try {
        client ??= createClient(options);
        const body: unknown = await (await client).post('/chat/completions', { body: request, signal });
        return chatResponse({ body, request, price });
      } catch (error) {
        if (signal?.aborted)
          throw new TadpoleError({ code: 'aborted', message: `Policy ${model}: expected an answer, received the signal to stop.` });
        const text = (error instanceof Error ? error.message : String(error)).replaceAll(options.apiKey || '\0', '[api key]');
        if (isContextOverflow(text)) {
          return {
            message: { role: 'assistant', content: '', toolCalls: [] },
            usage: { promptTokens: 0, completionTokens: 0 },
            stopReason: 'context',
          };
        }
        const code = isTadpoleError(error) ? error.code : 'policy';
        throw new TadpoleError({ code, message: `Policy ${model} at ${options.baseUrl}: ${text}` });
      }
    },
  };
}

async function createClient({ baseUrl, apiKey, timeoutMs = 7_200_000, maxRetries = 5 }: ChatPolicyOptions): Promise<OpenAI> {
  const { OpenAI } = await import('openai').catch((cause: unknown) => {
    throw new TadpoleError({
      code: 'missing-dependency',
      message: 'Expected the package openai, which createChatPolicy uses. Install it beside @tadpole/leaf-harness.',
      cause,
    });
  });
  return new OpenAI({ baseURL: baseUrl, apiKey, timeout: timeoutMs, maxRetries, organization: null, project: null, logLevel: 'off' });
}

/** The phrases by which endpoints say that the prompt does not fit (frognano.md section 2.1). */
function isContextOverflow(text: string): boolean {
  const lower = text.toLowerCase();
  return (
    ['context_length_exceeded', 'reduce the length', 'maximum context length'].some((phrase) => lower.includes(phrase)) ||
    (lower.includes('context length') && lower.includes('exceed'))
  );
}
