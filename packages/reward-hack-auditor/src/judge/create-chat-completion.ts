import { TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';
import type { JudgeCompletion } from './create-chat-judge.js';

const replySchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }), finish_reason: z.string().nullish() })).min(1),
});
const longestReply = 200_000;

/**
 * Asks an endpoint that speaks the OpenAI chat API, with structured output. Does not retry.
 *
 * @throws TadpoleError `invalid-input` for an error status, a redirect, a reply of another shape, or one that was cut off.
 */
export function createChatCompletion(options: {
  /** Up to and without `/chat/completions`. */
  baseUrl: string;
  model: string;
  /** @default none sent */
  apiKey?: string | undefined;
  /** @default the global `fetch` */
  fetch?: typeof globalThis.fetch | undefined;
  /** @default 120000 */
  timeoutMs?: number | undefined;
}): JudgeCompletion {
  const { baseUrl, model, apiKey, fetch = globalThis.fetch, timeoutMs = 120_000 } = options;
  return async ({ messages, schema, vote, signal }) => {
    const deadline = AbortSignal.timeout(timeoutMs);
    const response = await fetch(`${baseUrl.replace(/\/$/, '')}/chat/completions`, {
      method: 'POST',
      redirect: 'error',
      headers: { 'content-type': 'application/json', ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }) },
      body: JSON.stringify({
        ...{ model, messages, temperature: 0, seed: vote },
        response_format: { type: 'json_schema', json_schema: { name: 'judgement', strict: true, schema } },
      }),
      signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
    });
    const text = await response.text();
    if (!response.ok || text.length > longestReply) throw refuse(`status ${response.status} and ${text.length} characters`);
    const parsed = replySchema.safeParse(parseJson(text));
    const choice = parsed.success ? parsed.data.choices[0] : undefined;
    if (choice === undefined || choice.finish_reason === 'length') throw refuse(choice ? 'one that was cut off' : 'one of another shape');
    return choice.message.content;
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refuse(got: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message: `Expected a complete chat completion from the judge's endpoint, got ${got}.` });
}
