import { z } from 'zod';
import type { CallReason } from './model-call.js';

/** What one request gave: a text, or why there is none. */
export type Reply =
  | { readonly kind: 'answered'; readonly text: string; readonly usage: WireUsage | undefined }
  /** The model answered, and the answer holds nothing to read. */
  | { readonly kind: 'unusable'; readonly reason: CallReason; readonly text: string; readonly usage: WireUsage | undefined }
  /** `isTransient`: worth asking again; `isFinal`: no request of this endpoint will be answered. */
  | {
      readonly kind: 'failed';
      readonly reason: CallReason;
      /** As the endpoint wrote it; may repeat what was sent to it. */
      readonly text: string;
      readonly isTransient: boolean;
      readonly isFinal: boolean;
      /** The request may have been answered and paid for. */
      readonly isLost: boolean;
      readonly retryAfterMs?: number;
    };

/** Tokens as the endpoint counts them. */
export interface WireUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

const count = z.int().min(0);
const text = z
  .union([
    z.string(),
    z.array(z.looseObject({ text: z.string().optional() })).transform((parts) => parts.map(({ text = '' }) => text).join('')),
  ])
  .nullish();
const completionSchema = z.looseObject({
  choices: z.array(z.looseObject({ finish_reason: z.string().nullish(), message: z.looseObject({ content: text, refusal: text }) })).min(1),
  usage: z.looseObject({ prompt_tokens: count, completion_tokens: count }).nullish().catch(undefined),
});
const errorFrameSchema = z.union([
  z.looseObject({ error: z.union([z.string(), z.looseObject({})]) }),
  z.looseObject({ object: z.literal('error') }),
]);

/** Reads the body of a response with status 200, with which servers also send error frames, refusals, cut answers and halves. */
export function readCompletion(body: string): Reply {
  const value = parse(body);
  if (errorFrameSchema.safeParse(value).success) return errorFrame(value as Record<string, unknown>, body);
  const parsed = completionSchema.safeParse(value);
  if (!parsed.success) return lostAnswer(`expected a chat completion, received ${body || 'nothing'}`);
  const usage = parsed.data.usage ?? undefined;
  const { finish_reason: finish, message } = parsed.data.choices[0]!;
  if (['error', 'abort', 'cancelled'].includes(finish ?? '')) return lostAnswer(`expected a finished choice, received ${finish}`);
  const content = message.content ?? '';
  const reason = unusable({ finish: finish ?? '', refusal: message.refusal ?? '', content });
  return reason === undefined ? { kind: 'answered', text: content, usage } : { kind: 'unusable', reason, text: content, usage };
}

/** A failure whose request may have been answered: asked again, and counted as paid for. */
export function lostAnswer(text: string, reason: 'lost-answer' | 'timeout' = 'lost-answer'): Reply {
  return { kind: 'failed', reason, text, isTransient: true, isFinal: false, isLost: true };
}

/** Reads an error status, with the text that came with it. */
export function readStatus(options: { status: number; text: string; retryAfterMs?: number }): Reply & { kind: 'failed' } {
  const { status, text, retryAfterMs } = options;
  const failed = { kind: 'failed', text, isLost: false, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) } as const;
  const lower = text.toLowerCase();
  if (
    ['context_length_exceeded', 'reduce the length', 'maximum context length', 'context length exceeded'].some((phrase) =>
      lower.includes(phrase),
    )
  )
    return { ...failed, reason: 'prompt-too-long', isTransient: false, isFinal: false };
  // A used-up quota comes with status 429 too, and no wait brings it back.
  if (lower.includes('insufficient_quota')) return { ...failed, reason: 'rejected', isTransient: false, isFinal: true };
  if (status === 429) return { ...failed, reason: 'rate-limit', isTransient: true, isFinal: false };
  if (status === 408 || status === 409 || status >= 500) return { ...failed, reason: 'server-error', isTransient: true, isFinal: false };
  return { ...failed, reason: 'rejected', isTransient: false, isFinal: [401, 402, 403, 404].includes(status) };
}

function unusable(choice: { finish: string; refusal: string; content: string }): CallReason | undefined {
  if (choice.refusal !== '' || choice.finish === 'content_filter') return 'model-refused';
  if (['length', 'max_tokens', 'max_new_tokens', 'model_length'].includes(choice.finish)) return 'truncated';
  return choice.content.trim() === '' ? 'empty' : undefined;
}

/** Worth asking again unless the frame names a status that is not. */
function errorFrame(frame: Record<string, unknown>, body: string): Reply {
  const error = (typeof frame.error === 'object' ? frame.error : frame) as Record<string, unknown>;
  const code = /^[45]\d\d$/.test(`${error.code}`) ? Number(error.code) : 500;
  const failed = readStatus({ status: code, text: body });
  return failed.reason === 'prompt-too-long' ? failed : { ...failed, reason: 'error-frame' };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
