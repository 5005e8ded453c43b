import type { SampledSequence } from '@tadpole/contracts';
import { z } from 'zod';
import { checkSequence, type SequenceRequest } from './check-sequence.js';
import { excerpt, type Reading } from './engine-server.js';

const errorFrame = z.looseObject({ error: z.unknown().optional(), object: z.string().optional() });
const generateAnswer = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        token_ids: z.array(z.number()),
        logprobs: z.looseObject({ content: z.array(z.looseObject({ token: z.string().optional(), logprob: z.number().nullish() })) }),
        finish_reason: z.string().nullable(),
      }),
    )
    .length(1),
});
const completionsAnswer = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        token_ids: z.array(z.number()),
        prompt_token_ids: z.array(z.number()).nullish(),
        logprobs: z.looseObject({ token_logprobs: z.array(z.number().nullable()) }),
        finish_reason: z.string().nullable(),
      }),
    )
    .length(1),
});

/** Reads `/inference/v1/generate`: ids, and `logprobs.content` whose tokens are written `token_id:7`. */
export function readGenerateAnswer(options: { body: unknown; text: string; request: SequenceRequest }): Reading<SampledSequence> {
  const parsed = generateAnswer.safeParse(options.body);
  const choice = parsed.data?.choices[0];
  if (choice === undefined) return unreadable(options, 'choices[0] with token_ids, logprobs.content and finish_reason');
  const { token_ids: ids, logprobs, finish_reason: finish } = choice;
  const named = logprobs.content.findIndex(({ token }, at) => token?.startsWith('token_id:') === true && token !== `token_id:${ids[at]}`);
  if (named >= 0)
    return { problem: `expected the log-probability of id ${ids[named]}, received that of ${logprobs.content[named]?.token}` };
  const claimed = { ids, logprobs: logprobs.content.map(({ logprob }) => logprob ?? null), finish: finish ?? 'null' };
  return checkSequence(claimed, options.request);
}

/** Reads `/v1/completions` under `return_token_ids`; a server that also sends the prompt's ids must have read the ones it was sent. */
export function readCompletionsAnswer(options: {
  body: unknown;
  text: string;
  request: SequenceRequest;
  prompt: readonly number[];
}): Reading<SampledSequence> {
  const parsed = completionsAnswer.safeParse(options.body);
  const choice = parsed.data?.choices[0];
  if (choice === undefined)
    return unreadable(
      options,
      'choices[0] with token_ids, logprobs.token_logprobs and finish_reason; the server must know return_token_ids',
    );
  const { token_ids: ids, prompt_token_ids: read, logprobs, finish_reason: finish } = choice;
  if (read && (read.length !== options.prompt.length || read.some((id, at) => id !== options.prompt[at])))
    return { problem: `expected the prompt of ${options.prompt.length} ids to be read as it was sent, received another of ${read.length}` };
  return checkSequence({ ids, logprobs: logprobs.token_logprobs, finish: finish ?? 'null' }, options.request);
}

function unreadable({ body, text }: { body: unknown; text: string }, expected: string): { problem: string } {
  const frame = errorFrame.safeParse(body);
  const isError = frame.success && (frame.data.error !== undefined || frame.data.object === 'error');
  return { problem: isError ? `received an error with status 200: ${excerpt(text)}` : `expected ${expected}, received ${excerpt(text)}` };
}
