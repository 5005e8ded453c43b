import type { Message } from '@tadpole/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { type ChatPolicyOptions, createAdaptiveLimiter, createChatPolicy, leafTools, toolDefinition, turnSeed } from '../src/index.js';
import { policyConformance } from '../src/testing/index.js';
import { chatServer, completion, type Reply } from './chat-server.js';
import { virtualClock } from './virtual-clock.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function endpoint(replies: readonly Reply[], given: { allowUnused?: boolean } = {}) {
  const server = await chatServer(replies, given);
  closers.push(server.close);
  const policy = (options: Partial<ChatPolicyOptions> = {}) =>
    createChatPolicy({ baseUrl: server.baseUrl, apiKey: 'secret-key', model: 'm', maxRetries: 0, ...options });
  return { received: server.received, policy };
}

const sampling = { temperature: 0.6, topP: 0.95, topK: 20, maxTokens: 100, seed: 5 };
const messages: readonly Message[] = [
  { role: 'system', content: 'S' },
  { role: 'user', content: 'U' },
];
const ask = { messages, tools: [], sampling };

describe('createChatPolicy', () => {
  const call = { function: { name: 'Read', arguments: '{}' } };
  const cases = policyConformance({
    createPolicy: async () => (await endpoint([completion({ content: 'Hi.', tool_calls: [call, call] })], { allowUnused: true })).policy(),
    messages: [...messages, { role: 'assistant', content: '', toolCalls: [{ id: 'call_1_0', name: 'Read', arguments: '{}' }] }],
    sampling,
  });
  for (const { name, run } of cases) it(name, run);

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

  it('estimates the tokens when the endpoint gives no usage, and says so', async () => {
    const { policy } = await endpoint([completion({ content: 'x'.repeat(400) }, 'stop', null)]);
    const { usage } = await policy().respond(ask);
    expect(usage.completionTokens).toBeGreaterThan(100);
    expect(usage.promptTokens).toBeGreaterThan(10);
    expect(usage.isEstimated).toBe(true);
    const counted = await endpoint([completion({ content: 'x' })]);
    expect((await counted.policy().respond(ask)).usage.isEstimated).toBeUndefined();
  });

  it('sends reasoning back under the name by which the endpoint sends it', async () => {
    const { received, policy } = await endpoint([
      completion({ content: 'a', reasoning_content: 'R1' }),
      completion({ content: 'b', reasoning: 'R2' }),
      completion({ content: 'c' }),
    ]);
    const asked = policy();
    const history: Message[] = [...messages];
    for (let turn = 0; turn < 3; turn += 1) history.push((await asked.respond({ ...ask, messages: history })).message);
    expect(history.slice(2)).toMatchObject([{ reasoning: 'R1' }, { reasoning: 'R2' }, { content: 'c' }]);
    expect(received.map(({ body }) => (body.messages as object[]).slice(2))).toEqual([
      [],
      [{ role: 'assistant', content: 'a', reasoning_content: 'R1' }],
      [
        { role: 'assistant', content: 'a', reasoning: 'R1' },
        { role: 'assistant', content: 'b', reasoning: 'R2' },
      ],
    ]);
  });

  it('gives missing and repeated call ids one of their own and takes arguments that are objects', async () => {
    const call = (id: string | undefined, name: string, text: unknown) => ({ id, type: 'function', function: { name, arguments: text } });
    const { policy } = await endpoint([
      completion({ content: null, tool_calls: [call('a', 'Read', { file_path: 'x' }), call('b', 'Read', '{}'), call('b', 'Glob', '{}')] }),
    ]);
    const before: Message = { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'Read', arguments: '{}' }] };
    const { message } = await policy().respond({ ...ask, messages: [...messages, before] });
    expect(message.toolCalls).toEqual([
      { id: 'a_2', name: 'Read', arguments: '{"file_path":"x"}' },
      { id: 'b', name: 'Read', arguments: '{}' },
      { id: 'b_2', name: 'Glob', arguments: '{}' },
    ]);
  });

  it('reads a turn that a gateway spread over several choices', async () => {
    const choice = (message: object, finish_reason: string) => ({ message: { role: 'assistant', ...message }, finish_reason });
    const { policy } = await endpoint([
      {
        body: {
          choices: [
            choice(
              {
                content: [
                  { type: 'text', text: 'Look' },
                  { type: 'text', text: 'ing.' },
                ],
              },
              'stop',
            ),
            choice({ content: null, tool_calls: [{ id: 'x', function: { name: 'Read', arguments: '{}' } }] }, 'tool_calls'),
          ],
        },
      },
    ]);
    expect(await policy().respond(ask)).toMatchObject({
      message: { content: 'Looking.', toolCalls: [{ id: 'x', name: 'Read' }] },
      stopReason: 'stop',
    });
  });

  it.each([
    ['stop', 'stop'],
    ['tool_calls', 'stop'],
    ['function_call', 'stop'],
    ['content_filter', 'stop'],
    [null, 'stop'],
    ['model_length', 'context'],
  ])('reads the finish reason %s as %s', async (reason, stopReason) => {
    const { policy } = await endpoint([completion({ content: 'x' }, reason)]);
    expect((await policy().respond(ask)).stopReason).toBe(stopReason);
  });
});

describe('createChatPolicy when the context is full', () => {
  it.each([
    ['a phrase', 400, { error: { message: 'This model has a maximum context length of 10 tokens.' } }],
    ['a code alone', 400, { error: { code: 'context_length_exceeded', message: 'too long' } }],
    ['advice', 422, { detail: 'Please reduce the length of the messages.' }],
    ['two words', 400, { object: 'error', message: 'Input exceeds the context length of the model.', code: 400 }],
    ['a server error', 500, { error: { message: 'prompt is longer than the Maximum Context Length' } }],
    ['an error frame with status 200', 200, { error: { message: 'context_length_exceeded', code: 400 } }],
  ])('stops with the reason context: %s', async (_what, status, body) => {
    const { policy } = await endpoint([{ status, body }]);
    expect(await policy({ maxRetries: 5 }).respond(ask)).toEqual({
      message: { role: 'assistant', content: '', toolCalls: [] },
      usage: { promptTokens: 0, completionTokens: 0 },
      stopReason: 'context',
    });
  });
});

describe('createChatPolicy when the endpoint fails', () => {
  const sse = (...events: unknown[]): Reply => ({
    headers: { 'content-type': 'text/event-stream' },
    text: `${events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('')}`,
  });

  it.each<[string, Reply, string]>([
    ['an error frame with status 200', { body: { error: { message: 'worker died' } } }, 'worker died'],
    ['an error frame of text', { body: { error: 'worker died' } }, 'worker died'],
    ['an error frame without an error member', { body: { object: 'error', message: 'worker died', code: 500 } }, 'worker died'],
    ['an error frame as the only event of a stream', sse({ error: { message: 'worker died' } }), 'worker died'],
    ['an error frame among the events of a stream', sse({ choices: [] }, { error: { message: 'worker died' } }, '[DONE]'), 'worker died'],
    ['a stream that nobody asked for', sse({ choices: [{ delta: { content: 'x' } }] }, '[DONE]'), 'received a stream of events'],
    ['no choice', { body: { choices: [] } }, 'Expected a chat completion'],
    ['a choice that broke off', completion({ content: 'x' }, 'abort'), 'the finish reason abort'],
    ['a page instead of JSON', { text: '<html>Bad gateway</html>' }, 'received <html>'],
    ['an empty body', { text: '' }, 'received nothing'],
    ['half a body', { text: '{"choices": [{"mess' }, 'Expected a JSON body'],
    ['a connection that breaks in the body', { ...completion({ content: 'x'.repeat(999) }), fault: 'drop' }, 'aborted'],
    ['a connection that breaks at once', { fault: 'refuse' }, 'Connection error. '],
    ['a server error', { status: 500, body: { error: { message: 'no memory' } } }, '500 no memory'],
    ['a refused key, which it does not repeat', { status: 401, body: { error: { message: 'bad key secret-key' } } }, 'bad key [api key]'],
    ['a key repeated in a frame', { body: { error: { message: 'secret-key', code: 403 } } }, ': [api key]'],
  ])('throws a policy error for %s', async (_what, reply, text) => {
    const { policy } = await endpoint([reply]);
    const error = await policy()
      .respond(ask)
      .then(
        () => undefined,
        (thrown: unknown) => thrown as Error,
      );
    expect(error).toMatchObject({ code: 'policy', message: expect.stringContaining(text) });
    expect(`${error?.stack} ${JSON.stringify(error)} ${String(error?.cause)}`).not.toContain('secret-key');
  });

  it('ends a request at work by the signal', async () => {
    const { received, policy } = await endpoint([{ fault: 'hang' }]);
    const controller = new AbortController();
    const answer = policy().respond({ ...ask, signal: controller.signal });
    await expect.poll(() => received.length).toBe(1);
    controller.abort();
    await expect(answer).rejects.toMatchObject({ code: 'aborted' });
  });

  it('ends a wait between two tries by the signal', async () => {
    const clock = virtualClock();
    const { policy } = await endpoint([{ status: 503, headers: { 'retry-after': '9' } }]);
    const controller = new AbortController();
    const answer = policy({ clock, maxRetries: 1 }).respond({ ...ask, signal: controller.signal });
    await clock.asleep(9000);
    controller.abort();
    // The time went by because the endpoint refused, which is no failure of the policy's.
    await expect(answer).rejects.toMatchObject({ code: 'policy', message: expect.stringMatching(/503.*signal to stop/s) });
  });

  it.each<[string, Reply]>([
    ['nothing is sent', { fault: 'hang' }],
    ['half of the body is sent', { ...completion({ content: 'x'.repeat(999) }), fault: 'half' }],
  ])('gives up a request when %s within its time, and asks again', async (_what, reply) => {
    const clock = virtualClock();
    const { received, policy } = await endpoint([reply, completion({ content: 'ok' })]);
    const answer = policy({ clock, maxRetries: 1, timeoutMs: 77_000 }).respond(ask);
    await expect.poll(() => received.length).toBe(1);
    await clock.elapse(77_000);
    await clock.elapse((ms) => ms <= 500);
    expect((await answer).message.content).toBe('ok');
  });

  it.each<[string, Reply]>([
    ['408', { status: 408, body: {} }],
    ['409', { status: 409, body: {} }],
    ['500', { status: 500, body: {} }],
    ['503', { status: 503, body: {} }],
    ['a lost connection', { fault: 'refuse' }],
    ['half a response', { ...completion({ content: 'x'.repeat(999) }), fault: 'drop' }],
    ['an error frame with status 200', { body: { error: { message: 'upstream', code: 502 } } }],
    ['an empty list of choices', { body: { choices: [] } }],
  ])('tries again after %s, each time after a longer wait, and fails when the tries are used up', async (_what, reply) => {
    const clock = virtualClock();
    const { policy } = await endpoint([reply, reply, completion({ content: 'ok' }), reply, reply, reply]);
    const asked = policy({ clock, maxRetries: 2 });
    const first = asked.respond(ask);
    expect(await clock.elapse((ms) => ms <= 60_000)).toSatisfy((ms: number) => ms > 375 && ms <= 500);
    expect(await clock.elapse((ms) => ms <= 60_000)).toSatisfy((ms: number) => ms > 750 && ms <= 1000);
    expect((await first).message.content).toBe('ok');
    const second = expect(asked.respond(ask)).rejects.toMatchObject({ code: 'policy', message: expect.stringContaining('3 requests') });
    await clock.elapse((ms) => ms <= 60_000);
    await clock.elapse((ms) => ms <= 60_000);
    await second;
  });

  it.each([400, 401, 403, 404, 422])('does not ask again after status %i', async (status) => {
    const { policy } = await endpoint([{ status, body: { error: { message: 'no' } } }]);
    await expect(policy({ maxRetries: 5 }).respond(ask)).rejects.toMatchObject({ code: 'policy' });
  });

  it.each<[string, (nowMs: number) => Record<string, string>]>([
    ['seconds', () => ({ 'retry-after': '90' })],
    ['milliseconds', () => ({ 'retry-after-ms': '90000' })],
    ['a date', (nowMs) => ({ 'retry-after': new Date(nowMs + 90_000).toUTCString() })],
  ])('waits as long as Retry-After says in %s', async (_what, headers) => {
    const clock = virtualClock();
    const { received, policy } = await endpoint([
      { status: 429, headers: headers(clock.now()), body: {} },
      { status: 503, headers: headers(clock.now() + 90_000), body: {} },
      completion({ content: 'ok' }),
    ]);
    const answer = policy({ clock, maxRetries: 1 }).respond(ask);
    await clock.elapse(90_000);
    await clock.elapse(90_000);
    expect((await answer).message.content).toBe('ok');
    expect(received).toHaveLength(3);
  });

  it('goes on asking after 429, although its tries are none', async () => {
    const clock = virtualClock();
    const { policy } = await endpoint([
      ...Array.from({ length: 12 }, () => ({ status: 429, body: { error: { message: 'slow down' } } })),
      { body: { error: { message: 'slow down', type: 'rate_limit_error' } } },
      completion({ content: 'ok' }),
    ]);
    const answer = policy({ clock, maxRetries: 0 }).respond(ask);
    for (let wait = 0; wait < 13; wait += 1) await clock.elapse((ms) => ms <= 60_000);
    expect((await answer).message.content).toBe('ok');
  });

  it('fails as the policy when its patience with a busy endpoint ends', async () => {
    const clock = virtualClock();
    const busy = { status: 429, headers: { 'retry-after': '40' }, body: { error: { message: 'slow down' } } };
    const { policy } = await endpoint([busy, busy, busy]);
    const answer = expect(policy({ clock, patienceMs: 100_000 }).respond(ask)).rejects.toMatchObject({
      code: 'policy',
      message: expect.stringContaining('120000 ms. Raise patienceMs'),
    });
    await clock.elapse(40_000);
    await clock.elapse(40_000);
    await answer;
  });

  it('does not wait for a quota that is used up', async () => {
    const { policy } = await endpoint([{ status: 429, body: { error: { message: 'pay', code: 'insufficient_quota' } } }]);
    await expect(policy().respond(ask)).rejects.toMatchObject({ code: 'policy', message: expect.stringContaining('pay') });
  });

  it('keeps every policy of one limiter waiting when the endpoint asks one of them to', async () => {
    const clock = virtualClock();
    const limiter = createAdaptiveLimiter({ initialLimit: 4, clock });
    const { received, policy } = await endpoint([
      { status: 429, headers: { 'retry-after': '7' }, body: {} },
      completion({ content: 'ok' }),
      completion({ content: 'ok' }),
    ]);
    const first = policy({ clock, limiter }).respond(ask);
    await expect.poll(() => limiter.limit).toBe(2);
    const second = policy({ clock, limiter }).respond(ask);
    await new Promise((resolve) => setImmediate(resolve));
    expect(received).toHaveLength(1);
    await clock.elapse(7000);
    expect((await Promise.all([first, second])).map(({ message }) => message.content)).toEqual(['ok', 'ok']);
  });
});

describe('the options of createChatPolicy', () => {
  const good = { baseUrl: 'http://localhost/v1', apiKey: 'secret-key', model: 'm' };
  it.each<[string, Partial<ChatPolicyOptions>]>([
    ['an address that is none', { baseUrl: 'localhost' }],
    ['no key', { apiKey: '' }],
    ['a key with a line end', { apiKey: 'secret\n-key' }],
    ['streaming', { extraBody: { stream: true } }],
    ['a negative number of tries', { maxRetries: -1 }],
    ['a time that no timer can wait', { timeoutMs: 1e12 }],
  ])('refuse %s without repeating the key', (_what, given) => {
    let thrown: unknown;
    try {
      createChatPolicy({ ...good, ...given });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: 'invalid-config' });
    expect(String(thrown)).not.toContain('secret');
  });
});
