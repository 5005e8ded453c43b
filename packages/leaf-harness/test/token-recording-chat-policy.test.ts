import type { Message, TurnTokens } from '@tadpole/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { createTokenRecordingChatPolicy, leafTools, recordSegments, runAgent } from '../src/index.js';
import { policyConformance, unsafeDirectorySandbox } from '../src/testing/index.js';
import { chatServer, type Reply } from './chat-server.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function endpoint(replies: readonly Reply[], given: { allowUnused?: boolean } = {}) {
  const server = await chatServer(replies, given);
  closers.push(server.close);
  const policy = createTokenRecordingChatPolicy({ baseUrl: server.baseUrl, apiKey: 'k', model: 'm', maxRetries: 0, weightsVersion: 'w7' });
  return { received: server.received, policy };
}

type Parts = { promptIds?: number[] | null; completionIds?: number[] | null; logprobs?: number[] | null; message?: object };

function choiceOf({ completionIds = [7, 8], logprobs = [-0.5, -0.25], message = { content: 'Hi.' } }: Parts) {
  return {
    message: { role: 'assistant', ...message },
    finish_reason: 'stop',
    token_ids: completionIds,
    logprobs: logprobs && { content: logprobs.map((logprob) => ({ token: 'x', logprob })) },
  };
}
const usage = { prompt_tokens: 3, completion_tokens: 2 };
const vllm = (parts: Parts = {}): Reply => ({
  body: { choices: [choiceOf(parts)], prompt_token_ids: parts.promptIds === undefined ? [1, 2, 3] : parts.promptIds, usage },
});
const sglang = (parts: Parts = {}): Reply => ({
  body: { choices: [{ ...choiceOf(parts), prompt_token_ids: parts.promptIds ?? [1, 2, 3] }], usage },
});

const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 100, seed: 5 };
const messages: readonly Message[] = [{ role: 'user', content: 'U' }];
const ask = { messages, tools: [], sampling };

describe('createTokenRecordingChatPolicy', () => {
  const createPolicy = async () => (await endpoint([vllm()], { allowUnused: true })).policy;
  for (const { name, run } of policyConformance({ createPolicy, sampling })) it(name, run);

  it.each([
    ['vLLM', vllm()],
    ['SGLang', sglang()],
  ])('asks for ids and log-probabilities and records those that %s returns', async (_engine, reply) => {
    const { received, policy } = await endpoint([reply]);
    expect(await policy.respond(ask)).toEqual({
      message: { role: 'assistant', content: 'Hi.', toolCalls: [] },
      usage: { promptTokens: 3, completionTokens: 2 },
      tokens: { promptIds: [1, 2, 3], completionIds: [7, 8], completionLogprobs: [-0.5, -0.25], weightsVersion: 'w7' },
      stopReason: 'stop',
    });
    expect(received[0]?.body).toMatchObject({ logprobs: true, return_token_ids: true });
  });

  it.each<[string, Reply, string]>([
    [
      'no ids at all',
      vllm({ promptIds: null, completionIds: null, logprobs: null }),
      'without prompt_token_ids, choices[0].token_ids, choices[0].logprobs.content',
    ],
    ['no prompt ids', vllm({ promptIds: null }), 'without prompt_token_ids.'],
    ['no sampled ids', vllm({ completionIds: null }), 'without choices[0].token_ids.'],
    ['no log-probabilities', vllm({ logprobs: null }), 'without choices[0].logprobs.content.'],
    ['an empty list of sampled ids', vllm({ completionIds: [], logprobs: [] }), '3 of the prompt and 0 sampled ones'],
    ['an empty prompt', vllm({ promptIds: [] }), '0 of the prompt'],
    ['fewer log-probabilities than ids', vllm({ logprobs: [-1] }), 'each of 2 sampled ids, received 1'],
    ['a probability above one', vllm({ logprobs: [-1, 0.5] }), '0 or less, received 0.5'],
    ['two choices', { body: { choices: [choiceOf({}), choiceOf({})], prompt_token_ids: [1], usage } }, 'Expected one choice'],
  ])('throws a policy error that says why for %s', async (_what, reply, text) => {
    const { policy } = await endpoint([reply]);
    await expect(policy.respond(ask)).rejects.toMatchObject({ code: 'policy', message: expect.stringContaining(text) });
  });

  it('leaves a history that the endpoint tokenises otherwise to the recorder, which starts a new segment', async () => {
    const { policy } = await endpoint([vllm(), vllm({ promptIds: [1, 2, 3, 7, 8, 9] }), vllm({ promptIds: [1, 2, 3, 7, 5] })]);
    const turns: TurnTokens[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const { tokens } = await policy.respond(ask);
      if (tokens !== undefined) turns.push(tokens);
    }
    const { segments, segmentBreaks } = recordSegments(turns);
    expect(segmentBreaks).toBe(1);
    expect(segments.map(({ ids }) => ids)).toEqual([
      [1, 2, 3, 7, 8, 9, 7, 8],
      [1, 2, 3, 7, 5, 7, 8],
    ]);
  });

  it('ends a run as a policy error, with no segment to train on, when the endpoint returns no ids', async () => {
    const { policy } = await endpoint([vllm({ completionIds: null })]);
    const sandbox = await unsafeDirectorySandbox({ files: { 'a.txt': '1\n' } });
    const run = runAgent({ id: 'r', taskId: 't', instruction: 'Fix.', policy, tools: leafTools(), sandbox, sampling, now: () => 0 });
    let next = await run.next();
    while (next.done !== true) next = await run.next();
    await sandbox.dispose();
    expect(next.value).toMatchObject({ stopReason: 'policy-error', segments: [], error: expect.stringContaining('token_ids') });
  });
});
