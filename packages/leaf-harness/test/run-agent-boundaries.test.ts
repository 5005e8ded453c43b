import { type Policy, TadpoleError } from '@tadpole/contracts';
import { describe, expect, it } from 'vitest';
import { bash, forever, observations, open, play, read, stop } from './agent-fixture.js';

describe('an answer of the policy', () => {
  const usage = { promptTokens: 1, completionTokens: 1 };

  it('whose calls repeat an id gets ids of its own, and no other is touched', async () => {
    const calls = (...ids: string[]) => ids.map((id) => ({ id, name: 'Read', arguments: '{"file_path":"a.txt"}' }));
    const messages = [calls('a', 'a'), calls('a_2', 'b'), []].map((toolCalls) => ({ role: 'assistant' as const, content: '', toolCalls }));
    let turn = 0;
    const policy: Policy = {
      name: 'repeats',
      respond: async () => ({ message: messages[turn++]!, usage: { promptTokens: 1, completionTokens: 1 }, stopReason: 'stop' }),
    };
    const { trajectory } = await play([], { policy });
    const ids = trajectory.turns.map(({ assistant, observations: answers }) => [
      assistant.toolCalls.map(({ id }) => id),
      answers.map(({ toolCallId }) => toolCallId),
    ]);
    expect(ids).toEqual([
      [
        ['a', 'a_2'],
        ['a', 'a_2'],
      ],
      [
        ['a_2_2', 'b'],
        ['a_2_2', 'b'],
      ],
      [[], []],
    ]);
    expect(trajectory.turns[2]?.assistant).toEqual(messages[2]);
  });

  it('that is no message of the contract is a failure of the policy, and its cost is kept', async () => {
    const policy: Policy = {
      name: 'odd',
      respond: async () => ({
        message: { role: 'assistant', content: null } as never,
        usage: { promptTokens: 7, completionTokens: 2 },
        stopReason: 'stop',
      }),
    };
    const { trajectory } = await play([], { policy });
    expect(trajectory).toMatchObject({ stopReason: 'policy-error', turns: [], usage: { promptTokens: 7, completionTokens: 2 } });
    expect(trajectory.error).toContain('message.content');
  });

  it.each([
    ['nothing', undefined, 'received undefined'],
    [
      'a message without its list of calls',
      { message: { role: 'assistant', content: '' }, usage, stopReason: 'stop' },
      'message.toolCalls',
    ],
    ['no usage', { message: { role: 'assistant', content: '', toolCalls: [] }, stopReason: 'stop' }, 'usage'],
    ['a stop reason of its own', { message: { role: 'assistant', content: '', toolCalls: [] }, usage, stopReason: 'eos' }, 'stopReason'],
  ])('that is %s is a failure of the policy, which names what is wrong', async (_what, response, text) => {
    const policy: Policy = { name: 'odd', respond: async () => response as never };
    const { trajectory } = await play([], { policy });
    expect(trajectory).toMatchObject({ stopReason: 'policy-error', turns: [], error: expect.stringContaining(text) });
  });

  it('that never comes costs its prompt', async () => {
    const silent: Policy = { name: 'silent', respond: forever };
    const { trajectory } = await play([], { policy: silent, countTokens: () => 123, limits: { wallTimeMs: 30 } });
    expect(trajectory).toMatchObject({ stopReason: 'max-time', usage: { promptTokens: 123, completionTokens: 0 } });
  });

  it('without text and without a call ends the run as any that calls no tool', async () => {
    expect((await play([{ content: '' }])).trajectory.stopReason).toBe('agent');
  });
});

describe('a failed boundary', () => {
  const boundary = (code: 'sandbox' | 'policy', message: string) => Promise.reject(new TadpoleError({ code, message }));

  it('of the policy ends the run with the work kept', async () => {
    const { trajectory } = await play([{ toolCalls: [bash('echo 2 > a.txt')] }, () => boundary('policy', 'endpoint is down\nmore')]);
    expect(trajectory).toMatchObject({ stopReason: 'policy-error', error: 'policy: endpoint is down' });
    expect(trajectory.patch).toContain('+2');
  });

  it('is seen in tokens whose log-probabilities are missing', async () => {
    const tokens = { promptIds: [1], completionIds: [2, 3], completionLogprobs: [-1], weightsVersion: 'w' };
    const { trajectory } = await play([{ ...stop, tokens }]);
    expect(trajectory).toMatchObject({ stopReason: 'policy-error', turns: [], segments: [] });
    expect(trajectory.error).toContain('expected completionIds and completionLogprobs of equal length');
  });

  it('of the sandbox ends the run, and every call has its answer', async () => {
    const sandbox = { ...(await open()), run: () => boundary('sandbox', 'gone'), diff: () => boundary('sandbox', 'gone too') };
    const { trajectory } = await play([{ toolCalls: [bash('true'), read] }], { sandbox });
    expect(trajectory).toMatchObject({ stopReason: 'sandbox-error', error: 'sandbox: gone', patch: '' });
    expect(observations(trajectory)).toEqual([
      ['Not finished: the run ended (sandbox-error).', 'Not executed: the run ended (sandbox-error).'],
    ]);
  });

  it('of the endpoint that used up the time is no end of the time', async () => {
    const refusing: Policy = {
      name: 'refusing',
      respond: ({ signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(new TadpoleError({ code: 'policy', message: 'still busy' })));
        }),
    };
    const { trajectory } = await play([], { policy: refusing, limits: { wallTimeMs: 30 } });
    expect(trajectory).toMatchObject({ stopReason: 'policy-error', error: 'policy: still busy' });
  });

  it('is none when the patch is asked for without binary files', async () => {
    const asked: unknown[] = [];
    const diff = async (request: unknown) => {
      asked.push(request);
      return 'patch';
    };
    const { trajectory } = await play([stop], { sandbox: { ...(await open()), diff }, binaries: 'leave-out' });
    expect([trajectory.patch, asked]).toEqual(['patch', [{ binaries: 'leave-out', signal: undefined }]]);
    expect(trajectory.harnessFingerprint).not.toBe((await play([stop])).trajectory.harnessFingerprint);
  });

  it("is not a change that is no patch, which is the agent's own: it has none", async () => {
    const tooLarge = () => Promise.reject(new TadpoleError({ code: 'invalid-input', message: 'expected a change that fits' }));
    const { trajectory } = await play([stop], { sandbox: { ...(await open()), diff: tooLarge } });
    expect(trajectory).toMatchObject({ stopReason: 'agent', error: 'invalid-input: expected a change that fits', patch: '' });
  });

  it('is the sandbox when the patch cannot be taken', async () => {
    const sandbox = { ...(await open()), diff: () => boundary('sandbox', 'gone') };
    expect((await play([stop], { sandbox })).trajectory).toMatchObject({ stopReason: 'sandbox-error', error: 'sandbox: gone', patch: '' });
  });
});
