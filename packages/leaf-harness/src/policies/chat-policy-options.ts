import { TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';
import type { TokenPrice } from './chat-response.js';
import { type Clock, LONGEST_TIMER_MS } from './clock.js';
import type { RequestLimiter } from './create-adaptive-limiter.js';

/** What a policy at a chat-completions endpoint needs. */
export interface ChatPolicyOptions {
  /** Up to and including the version, for instance `http://localhost:8000/v1`. */
  readonly baseUrl: string;
  /** Sent to the endpoint and kept out of every error. Any text where the endpoint asks for none. */
  readonly apiKey: string;
  readonly model: string;
  /** For records. @default the model */
  readonly name?: string;
  /** Further members of the request's body, for instance `{ chat_template_kwargs: { enable_thinking: true } }`. @default none */
  readonly extraBody?: Readonly<Record<string, unknown>>;
  /** Time of one request until its body is read. @default 7_200_000, FrogNano's (frognano.md section 2.1) */
  readonly timeoutMs?: number;
  /** Further tries after a lost connection, half a response, 408, 409 or 5xx, with growing waits; 429 is not counted. @default 5, FrogNano's */
  readonly maxRetries?: number;
  /**
   * How long one call waits for its requests, for a place at the limiter and between them, all waits together, before it
   * fails as the policy. Also the longest pause that the endpoint can ask of all calls. @default 3_600_000
   */
  readonly patienceMs?: number;
  /** The longest body of a response, decoded; a longer one is a lost answer. @default 67_108_864 */
  readonly maxResponseBytes?: number;
  /** Shared by all calls; give one limiter to all policies of an endpoint. @default one of `createAdaptiveLimiter` for this policy */
  readonly limiter?: RequestLimiter;
  /** @default none: the policy reports no cost */
  readonly price?: TokenPrice;
  /** @default the machine's */
  readonly clock?: Clock;
  /** How requests are sent, for instance through a proxy. @default one that waits `timeoutMs`, where Node's own gives up after 300 s */
  readonly fetch?: typeof fetch;
}

const schema = z.object({
  baseUrl: z.url({ protocol: /^https?$/ }),
  // A control character would make the HTTP client repeat the whole header in its error.
  apiKey: z.string().regex(/^[\x21-\x7e]+$/, 'expected visible ASCII characters; any text where the endpoint asks for no key'),
  model: z.string().min(1),
  extraBody: z
    .record(z.string(), z.unknown())
    .refine((body) => !['stream', 'n', 'messages', 'tools'].some((key) => key in body), 'expected none of stream, n, messages and tools')
    .optional(),
  timeoutMs: z.number().positive().max(LONGEST_TIMER_MS).optional(),
  maxRetries: z.int().min(0).optional(),
  patienceMs: z.number().min(0).max(LONGEST_TIMER_MS).optional(),
  maxResponseBytes: z.int().positive().optional(),
});

/** @throws TadpoleError `invalid-config` for options that cannot work; the message does not repeat the key. */
export function assertChatPolicyOptions(options: ChatPolicyOptions): void {
  const parsed = schema.safeParse(options);
  if (!parsed.success) throw new TadpoleError({ code: 'invalid-config', message: `Chat policy: ${z.prettifyError(parsed.error)}` });
}
