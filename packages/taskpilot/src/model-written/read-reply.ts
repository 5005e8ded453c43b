import { z } from 'zod';
import { AnswerFault } from './answer-fault.js';
import { jsonObjects } from './json-objects.js';
import type { Prompt } from './load-prompt.js';
import type { CallReason } from './model-call.js';
import type { Reply } from './read-completion.js';

/** One thing that is asked of a model. */
export interface Question<Answer, Value> {
  readonly prompt: Prompt;
  /** The filled prompt. */
  readonly text: string;
  readonly schema: z.ZodType<Answer>;
  /** Makes the answer into what is wanted. Throws {@link AnswerFault}, whose text the model is shown once. */
  read(answer: Answer): Value;
  readonly seed: number;
  readonly signal?: AbortSignal;
}

/** Why a reply is not used, and what the model is told of it. */
export interface Problem {
  readonly reason: CallReason;
  readonly problem: string;
}

/** Reads a reply as an answer to its question: exactly one object of the schema, which `read` can use. */
export function readReply<Answer, Value>(options: { reply: Reply; question: Question<Answer, Value> }): { value: Value } | Problem {
  const { reply, question } = options;
  if (reply.kind === 'failed') return { reason: reply.reason, problem: reply.text };
  if (reply.kind === 'unusable') {
    const isCut = reply.reason === 'truncated';
    return { reason: reply.reason, problem: isCut ? 'it was cut off; write a much shorter one.' : 'it holds no text.' };
  }
  const objects = jsonObjects(reply.text);
  if (objects.length === 0) return { reason: 'not-json', problem: 'it holds no JSON object that can be parsed.' };
  const parsed = objects.map((object) => question.schema.safeParse(object));
  const fitting = parsed.flatMap((one) => (one.success ? [one.data] : []));
  if (fitting.length > 1) return { reason: 'wrong-schema', problem: `it holds ${fitting.length} answers; give one.` };
  if (fitting.length === 0) return { reason: 'wrong-schema', problem: z.prettifyError(parsed.at(-1)!.error as z.ZodError) };
  try {
    return { value: question.read(fitting[0] as Answer) };
  } catch (error) {
    if (error instanceof AnswerFault) return { reason: error.reason, problem: error.message };
    throw error;
  }
}
