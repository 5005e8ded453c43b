import { TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';
import type { CallBudget } from './model-call.js';

/** An OpenAI-compatible chat-completions endpoint and how it is asked. */
export interface ModelEndpoint {
  /** Up to and including the version, for instance `http://localhost:8000/v1`. */
  readonly baseURL: string;
  /** Sent to the endpoint and kept out of every record and error. @default 'none', for endpoints that ask for no key */
  readonly apiKey?: string;
  readonly model: string;
  /** United States dollars for a million tokens. @default none: no cost is recorded */
  readonly price?: { readonly promptPerMillion: number; readonly completionPerMillion: number };
  /** @default 1 */
  readonly temperature?: number;
  /** Most tokens of an answer, reasoning included. @default 8192 */
  readonly maxTokens?: number;
  /** Further members of the request's body. @default none */
  readonly extraBody?: Readonly<Record<string, unknown>>;
  /** Time of one request until its body is read; Node's own `fetch` waits 300 s at most for its begin. @default 240_000 */
  readonly timeoutMs?: number;
  /** Further tries of one request after 408, 409, 429, 5xx, a time-out or a lost answer. @default 3 */
  readonly maxRetries?: number;
  /** Longest wait before one of them; an endpoint that asks for more is given up for this request. @default 60_000 */
  readonly maxWaitMs?: number;
  /** How requests are sent, for instance through a proxy. @default Node's own */
  readonly fetch?: typeof fetch;
}

/** A {@link ModelEndpoint} with every default in its place. */
export type ReadyEndpoint = ModelEndpoint & Required<Omit<ModelEndpoint, 'price' | 'fetch'>>;

const price = z.number().min(0);
const endpointSchema = z.strictObject({
  baseURL: z.url({ protocol: /^https?$/ }),
  // A control character would make the HTTP client repeat the whole header in its error.
  apiKey: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'expected visible ASCII characters')
    .default('none'),
  model: z.string().min(1),
  price: z.strictObject({ promptPerMillion: price, completionPerMillion: price }).optional(),
  temperature: z.number().min(0).default(1),
  maxTokens: z.int().positive().default(8192),
  extraBody: z
    .record(z.string(), z.unknown())
    .refine((body) => !['stream', 'n', 'messages', 'tools'].some((key) => key in body), 'expected none of stream, n, messages and tools')
    .default({}),
  timeoutMs: z
    .int()
    .positive()
    .max(2 ** 31 - 1)
    .default(240_000),
  maxRetries: z.int().min(0).default(3),
  maxWaitMs: z
    .int()
    .min(0)
    .max(2 ** 31 - 1)
    .default(60_000),
  fetch: z.custom<typeof fetch>((value) => typeof value === 'function').optional(),
});
const bound = z.number().positive().optional();
const budgetSchema = z.strictObject({ calls: bound, tokens: bound, costUsd: bound });

/** @throws TadpoleError `invalid-config` for an endpoint or a budget that cannot work; the message does not repeat the key. */
export function readEndpoint(options: { endpoint: ModelEndpoint; budget: CallBudget }): ReadyEndpoint {
  const parsed = z.strictObject({ endpoint: endpointSchema, budget: budgetSchema }).safeParse(options);
  const problem = !parsed.success
    ? z.prettifyError(parsed.error)
    : parsed.data.budget.costUsd !== undefined && parsed.data.endpoint.price === undefined
      ? 'expected a price at the endpoint, since the budget counts dollars'
      : undefined;
  if (parsed.success && problem === undefined) return parsed.data.endpoint as ReadyEndpoint;
  throw new TadpoleError({ code: 'invalid-config', message: `Model endpoint: ${problem}` });
}
