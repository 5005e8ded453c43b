import { z } from 'zod';
import { jsonText } from './json-text.js';

/** A count that is none is as good as absent: the answer is paid for, whatever the endpoint counts. */
const countSchema = z.int().min(0).nullish().catch(undefined);

/** Text, or the text parts of a list of parts. */
const contentSchema = z
  .union([
    z.string(),
    z.array(z.looseObject({ text: z.string().optional() })).transform((parts) => parts.map(({ text = '' }) => text).join('')),
  ])
  .nullish();

/** Endpoints differ in whether arguments are JSON text, an object or absent; as text they stay as the model wrote them. */
const argumentsSchema = z.unknown().transform((value) => (typeof value === 'string' ? value : jsonText(value)));

const choiceSchema = z.looseObject({
  finish_reason: z.string().nullish(),
  message: z.looseObject({
    content: contentSchema,
    reasoning_content: contentSchema,
    reasoning: contentSchema,
    tool_calls: z
      .array(
        z.looseObject({ id: z.string().nullish(), function: z.looseObject({ name: z.string().catch(''), arguments: argumentsSchema }) }),
      )
      .nullish(),
  }),
  logprobs: z.looseObject({ content: z.array(z.looseObject({ logprob: z.number() })).nullish() }).nullish(),
  token_ids: z.array(z.int()).nullish(),
  prompt_token_ids: z.array(z.int()).nullish(),
});

/** The body of a chat completion (formats.md section 3.5), as far as a policy reads it. */
export const chatCompletionSchema = z.looseObject({
  choices: z.array(choiceSchema).min(1),
  usage: z.looseObject({ prompt_tokens: countSchema, completion_tokens: countSchema }).nullish(),
  prompt_token_ids: z.array(z.int()).nullish(),
});
/** See {@link chatCompletionSchema}. */
export type ChatCompletion = z.infer<typeof chatCompletionSchema>;
/** One choice of a {@link ChatCompletion}. */
export type ChatChoice = ChatCompletion['choices'][number];
