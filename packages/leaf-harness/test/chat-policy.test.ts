import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Message } from '@tadpole/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { type ChatPolicyOptions, createChatPolicy, leafTools, toolDefinition, turnSeed } from '../src/index.js';
import { policyConformance } from '../src/testing/index.js';

type Reply = { status?: number; body?: unknown; hang?: boolean };
type Received = { url?: string; headers: IncomingHttpHeaders; body: Record<string, unknown> };

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

/** An endpoint that plays its replies back, one a request; strict: a further request gets a status 599. */
async function endpoint(replies: readonly Reply[]) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const reply = replies[received.length] ?? { status: 599, body: { error: { message: 'request was not expected' } } };
    received.push({
      url: request.url,
      headers: request.headers,
      body: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>,
    });
    if (reply.hang !== true)
      response.writeHead(reply.status ?? 200, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const policy = (given: Partial<ChatPolicyOptions> = {}) =>
    createChatPolicy({
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      apiKey: 'secret-key',
      model: 'm',
      maxRetries: 0,
      ...given,
    });
  return { received, policy };
}

const completion = (
  message: object,
  finishReason = 'stop',
  usage: object | null = { prompt_tokens: 30, completion_tokens: 20 },
): Reply => ({
  body: { choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finishReason }], usage },
});
const sampling = { temperature: 0.6, topP: 0.95, topK: 20, maxTokens: 100, seed: 5 };
const messages: readonly Message[] = [
  { role: 'system', content: 'S' },
  { role: 'user', content: 'U' },
];
const ask = { messages, tools: [], sampling };

describe('createChatPolicy', () => {
  for (const { name, run } of policyConformance({
    createPolicy: async () => (await endpoint([completion({ content: 'Hi.' })])).policy(),
    sampling,
  }))
    it(name, run);

  it('sends history, tools, sampling and the turn seed', async () => {
    const { received, policy } = await endpoint([completion({ content: 'ok' })]);
    const history: readonly Message[] = [
      ...messages,
      {
        role: 'assistant',
        content: '',
        reasoning: 'R',
        toolCalls: [
          { id: '1', name: 'Read', arguments: '{"path":"a"}' },
          { id: '2', name: 'Read', arguments: '{"pa' },
        ],
      },
      { role: 'tool', toolCallId: '1', content: 'T1' },
      { role: 'tool', toolCallId: '2', content: 'T2' },
    ];
    const tools = leafTools().slice(0, 1).map(toolDefinition);
    await policy({ extraBody: { chat_template_kwargs: { enable_thinking: true } } }).respond({ messages: history, tools, sampling });
    expect(received[0]?.url).toBe('/v1/chat/completions');
    expect(received[0]?.headers.authorization).toBe('Bearer secret-key');
    expect(received[0]?.body).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'S' },
        { role: 'user', content: 'U' },
        {
          role: 'assistant',
          content: '',
          reasoning_content: 'R',
          tool_calls: [
            { id: '1', type: 'function', function: { name: 'Read', arguments: '{"path":"a"}' } },
            { id: '2', type: 'function', function: { name: 'Read', arguments: '{"malformed_arguments":"{\\"pa"}' } },
          ],
        },
        { role: 'tool', tool_call_id: '1', content: 'T1' },
        { role: 'tool', tool_call_id: '2', content: 'T2' },
      ],
      tools: [{ type: 'function', function: tools[0] }],
      tool_choice: 'auto',
      parallel_tool_calls: true,
      temperature: 0.6,
      top_p: 0.95,
      top_k: 20,
      max_completion_tokens: 100,
      seed: turnSeed({ seed: 5, turn: 1 }),
      chat_template_kwargs: { enable_thinking: true },
    });
  });

  it('reads text, reasoning, calls as they were written, usage and cost', async () => {
    const calls = [
      { id: 'x', type: 'function', function: { name: 'Bash', arguments: '{"com' } },
      { type: 'function', function: { name: 'Read', arguments: '{}' } },
    ];
    const { policy } = await endpoint([completion({ content: null, reasoning_content: 'R', tool_calls: calls }, 'tool_calls')]);
    expect(await policy({ price: { promptPerMillion: 1, completionPerMillion: 10 } }).respond(ask)).toEqual({
      message: {
        role: 'assistant',
        content: '',
        reasoning: 'R',
        toolCalls: [
          { id: 'x', name: 'Bash', arguments: '{"com' },
          { id: 'call_0_1', name: 'Read', arguments: '{}' },
        ],
      },
      usage: { promptTokens: 30, completionTokens: 20, costUsd: 0.00023 },
      stopReason: 'stop',
    });
  });

  it.each(['length', 'max_tokens', 'max_new_tokens'])('reads the finish reason %s as a length stop', async (reason) => {
    const { policy } = await endpoint([completion({ content: 'x' }, reason)]);
    expect((await policy().respond(ask)).stopReason).toBe('length');
  });

  it('estimates the tokens when the endpoint gives no usage', async () => {
    const { policy } = await endpoint([completion({ content: 'x'.repeat(400) }, 'stop', null)]);
    const { usage } = await policy().respond(ask);
    expect(usage.completionTokens).toBeGreaterThan(100);
    expect(usage.promptTokens).toBeGreaterThan(10);
  });

  it.each([
    { error: { message: 'This model has a maximum context length of 10 tokens.' } },
    { error: { code: 'context_length_exceeded', message: 'too long: context_length_exceeded' } },
  ])('reads %j as a full context', async (body) => {
    const { policy } = await endpoint([{ status: 400, body }]);
    expect(await policy().respond(ask)).toMatchObject({ stopReason: 'context', usage: { completionTokens: 0 } });
  });

  it.each([
    ['an error frame with status 200', { body: { error: { message: 'worker died' } } }, 'worker died'],
    ['no choice', { body: { choices: [] } }, 'Expected a chat completion'],
    ['a refused key, which it does not repeat', { status: 401, body: { error: { message: 'bad key secret-key' } } }, 'bad key [api key]'],
  ])('fails as the policy for %s', async (_what, reply, text) => {
    const { policy } = await endpoint([reply]);
    await expect(policy().respond(ask)).rejects.toMatchObject({ code: 'policy', message: expect.stringContaining(text) });
  });

  it('tries again after a server error', async () => {
    const { received, policy } = await endpoint([{ status: 503, body: {} }, completion({ content: 'ok' })]);
    expect((await policy({ maxRetries: 1 }).respond(ask)).message.content).toBe('ok');
    expect(received).toHaveLength(2);
  });

  it('ends a request at work by the signal', async () => {
    const { policy } = await endpoint([{ hang: true }]);
    const controller = new AbortController();
    const answer = policy().respond({ ...ask, signal: controller.signal });
    setTimeout(() => controller.abort(), 30);
    await expect(answer).rejects.toMatchObject({ code: 'aborted' });
  });
});
