import type { ChatCompletion } from './chat-completion.js';
import { jsonText } from './json-text.js';

/** An answer that can be read. */
export interface ChatAnswer {
  readonly kind: 'answered';
  readonly completion: ChatCompletion;
}

/**
 * Why a request gave no answer. `context`: the prompt does not fit; `rate-limit`: ask again later, as often as it takes;
 * `transient`: worth a few more tries; `final`: asking again would not help.
 */
export interface ChatFailure {
  readonly kind: 'context' | 'rate-limit' | 'transient' | 'final';
  /** As the endpoint wrote it, of any length; may repeat what was sent to it. */
  readonly text: string;
  /** The endpoint says that it has too much to do. */
  readonly isOverload: boolean;
  /** The wait that the endpoint asks for before the next try. */
  readonly retryAfterMs?: number;
}

/** Reads a status and what came with it. `body` is the parsed error body, where there is one. */
export function chatFailure(options: { status: number; text: string; body?: unknown; retryAfterMs?: number }): ChatFailure {
  const { status, text, retryAfterMs } = options;
  const everything = `${text} ${jsonText(options.body)}`.toLowerCase();
  const isOverload = status === 429 || status === 503 || status === 529;
  if (isContextOverflow(everything)) return { kind: 'context', text, isOverload };
  // A used-up quota comes with status 429 too, and no wait brings it back.
  if (everything.includes('insufficient_quota')) return { kind: 'final', text, isOverload };
  const isTransient = status === 408 || status === 409 || status >= 500;
  if (status !== 429 && !isTransient) return { kind: 'final', text, isOverload };
  return { kind: isTransient ? 'transient' : 'rate-limit', text, isOverload, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** A failure without an answer: a lost connection, half a response, a request that took too long. */
export function lostAnswer(text: string): ChatFailure {
  return { kind: 'transient', text, isOverload: false };
}

/** The phrases by which endpoints say that the prompt does not fit (frognano.md section 2.1). */
function isContextOverflow(lower: string): boolean {
  return (
    ['context_length_exceeded', 'reduce the length', 'maximum context length'].some((phrase) => lower.includes(phrase)) ||
    (lower.includes('context length') && lower.includes('exceed'))
  );
}
