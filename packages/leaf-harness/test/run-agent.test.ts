import { getEventListeners } from 'node:events';
import { type Message, type OwnedSandbox, type Policy, TadpoleError, type Trajectory, trajectorySchema } from '@tadpole/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type AgentEvent,
  agentLimitsSchema,
  defaultSystemPrompt,
  defineTool,
  harnessFingerprint,
  leafExactProfile,
  leafTools,
  limitConditions,
  maxContextTokens,
  maxCost,
  maxGeneratedTokens,
  maxRepeatedInvalidCalls,
  maxTokensPerTurn,
  maxTurns,
  maxWallTime,
  type RunAgentOptions,
  runAgent,
} from '../src/index.js';
import { type ScriptedStep, scriptedPolicy, unsafeDirectorySandbox } from '../src/testing/index.js';

let opened: OwnedSandbox[] = [];
const open = async (files: Record<string, string> = {}) => {
  const sandbox = await unsafeDirectorySandbox({ files });
  opened.push(sandbox);
  return sandbox;
};
afterEach(async () => {
  await Promise.all(opened.map((sandbox) => sandbox.dispose()));
  opened = [];
});

type Steps = Parameters<typeof scriptedPolicy>[0];
const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 100, seed: 7 };
const read = { name: 'Read', arguments: { file_path: 'a.txt' } };
const bash = (command: string) => ({ name: 'Bash', arguments: { command } });
const stop = { content: 'Done.' };

/** A scripted clock: every question takes a millisecond. */
const clock = () => {
  let ms = Date.UTC(2026, 0, 1);
  return () => ms++;
};

async function play(
  steps: Steps,
  given: Partial<RunAgentOptions> = {},
): Promise<{ events: AgentEvent[]; trajectory: Trajectory; policy: ReturnType<typeof scriptedPolicy> }> {
  const policy = scriptedPolicy(steps);
  const sandbox = given.sandbox ?? (await open({ 'a.txt': 'one\n' }));
  const run = runAgent({
    id: 'run',
    taskId: 'task',
    instruction: 'Fix it.',
    policy,
    tools: leafTools(),
    sampling,
    now: clock(),
    ...given,
    sandbox,
  });
  const events: AgentEvent[] = [];
  for (;;) {
    const next = await run.next();
    if (next.done === true) {
      trajectorySchema.parse(next.value);
      return { events, trajectory: next.value, policy };
    }
    events.push(next.value);
  }
}
const observations = (trajectory: Trajectory) => trajectory.turns.map((turn) => turn.observations.map(({ content }) => content));
const tool = (name: string, execute: () => Promise<string>) => defineTool({ name, description: name, inputSchema: z.object({}), execute });
const forever = () => new Promise<never>(() => undefined);

describe('the loop', () => {
  it('runs several calls of a turn in order, answers each, and ends with a turn that calls none', async () => {
    const { events, trajectory, policy } = await play([{ content: 'Look.', toolCalls: [bash('echo two >> a.txt'), read] }, stop]);
    policy.assertDone();
    expect(events.map(({ type }) => type)).toEqual([
      'agent-start',
      'turn-start',
      'message-end',
      'tool-start',
      'tool-end',
      'tool-start',
      'tool-end',
      'turn-end',
      'turn-start',
      'message-end',
      'turn-end',
      'agent-end',
    ]);
    expect(trajectory.stopReason).toBe('agent');
    expect(observations(trajectory)).toEqual([['Exit code: 0\nSTDOUT:\n\nSTDERR:\n', 'a.txt\n1. one\n2. two'], []]);
    expect(trajectory.usage).toEqual({ promptTokens: 20, completionTokens: 10 });
    expect(trajectory.patch).toContain('+two');
    expect(trajectory.startedAt).toBe('2026-01-01T00:00:00.000Z');
  });

  it('shows the policy the prompt, the instruction and every answer, with its own message objects', async () => {
    const { policy, trajectory } = await play([{ toolCalls: [read] }, stop]);
    expect(policy.requests[0]?.messages).toEqual([
      { role: 'system', content: defaultSystemPrompt },
      { role: 'user', content: 'Fix it.' },
    ]);
    expect(policy.requests[1]?.messages.slice(3)).toEqual([{ role: 'tool', toolCallId: 'call-0-0', content: 'a.txt\n1. one' }]);
    expect(policy.requests[1]?.messages[2]).toBe(trajectory.turns[0]?.assistant);
    expect(policy.requests[0]?.tools.map(({ name }) => name)).toEqual(['Read', 'Write', 'Edit', 'Glob', 'Bash']);
    expect(trajectory.harnessFingerprint).toBe(harnessFingerprint({ tools: leafTools() }));
  });

  it('records the segments of the turns that carry tokens', async () => {
    const tokens = (promptIds: number[], completionIds: number[]) => ({
      promptIds,
      completionIds,
      completionLogprobs: completionIds.map(() => -1),
      weightsVersion: 'w',
    });
    const { trajectory } = await play([
      { toolCalls: [read], tokens: tokens([1], [2, 3]) },
      { ...stop, tokens: tokens([1, 2, 3, 4], [5]) },
    ]);
    expect(trajectory.segments).toEqual([
      { ids: [1, 2, 3, 4, 5], mask: [false, true, true, false, true], logprobs: [0, -1, -1, 0, -1], weightsVersions: ['w'] },
    ]);
  });
});

describe('a bad call', () => {
  it('gets an error as its own answer while its siblings run', async () => {
    const { trajectory, events } = await play([
      {
        toolCalls: [
          { name: 'Write', arguments: '{"file_path": "b.txt", "content": ' },
          { name: 'Write', arguments: '["b.txt"]' },
          { name: 'Grep', arguments: {} },
          read,
        ],
      },
      stop,
    ]);
    const [first, second, third, fourth] = observations(trajectory)[0]!;
    expect(first).toMatch(
      /^InvalidArgumentsError: Write: expected the arguments as one JSON object, received text that is not JSON .*The tool was not run\.$/,
    );
    expect(second).toBe(
      'InvalidArgumentsError: Write: expected the arguments as one JSON object, received an array. The tool was not run.',
    );
    expect(third).toBe('Unknown tool: Grep. Available tools: Read, Write, Edit, Glob, Bash.');
    expect(fourth).toBe('a.txt\n1. one');
    expect(events.flatMap((event) => (event.type === 'tool-end' ? [event.status] : []))).toEqual(['invalid', 'invalid', 'invalid', 'ok']);
    expect(trajectory.patch).toBe('');
  });

  it('is told the path, what was expected and what was received', async () => {
    const { trajectory } = await play([{ toolCalls: [{ name: 'Read', arguments: { offset: 'x', limit: 0 } }] }, stop]);
    expect(observations(trajectory)[0]?.[0]).toBe(
      [
        'InvalidArgumentsError: Read: the tool was not run.',
        'file_path: Invalid input: expected string, received undefined',
        'offset: Invalid input: expected number, received string',
        'limit: Too small: expected number to be >=1, received 0',
      ].join('\n'),
    );
  });

  it('whose tool gives no text gets that as its answer', async () => {
    const silent = tool('Silent', async () => undefined as never);
    const { trajectory } = await play([{ toolCalls: [{ name: 'Silent', arguments: {} }] }, stop], { tools: [silent] });
    expect(observations(trajectory)[0]).toEqual(['TypeError: Silent: expected the tool to return text, received undefined.']);
  });

  it('is run with {} under the profile of the released Leaf alone', async () => {
    const ping = tool('Ping', async () => 'ran');
    const steps = [
      {
        toolCalls: [
          { name: 'Ping', arguments: '{"a": ' },
          { name: 'Pong', arguments: {} },
        ],
      },
      stop,
    ];
    const { trajectory, policy } = await play(steps, { ...leafExactProfile(), tools: [ping] });
    expect(observations(trajectory)[0]).toEqual(['ran', 'Unknown tool: Pong']);
    expect(policy.requests).toHaveLength(2);
    expect(trajectory.harnessFingerprint).toBe(harnessFingerprint({ tools: [ping], profile: 'leaf-exact' }));
  });

  it('gets the name and message of what its tool threw', async () => {
    const fails = tool('Fails', () => Promise.reject(new RangeError('too far')));
    const { trajectory } = await play([{ toolCalls: [{ name: 'Fails', arguments: {} }] }, stop], { tools: [fails] });
    expect(observations(trajectory)[0]).toEqual(['RangeError: too far']);
    expect(trajectory.stopReason).toBe('agent');
  });
});

describe('a length stop', () => {
  it.each([
    ['the turn reached its cap', { usage: { promptTokens: 10, completionTokens: 100 }, stopReason: 'length' }, {}, 'max-tokens-per-turn'],
    ['the endpoint reports no usage', { usage: { promptTokens: 0, completionTokens: 0 }, stopReason: 'length' }, {}, 'max-tokens-per-turn'],
    [
      'prompt and completion fill the context',
      { usage: { promptTokens: 900, completionTokens: 100 }, stopReason: 'length' },
      { maxContextTokens: 1000 },
      'max-context',
    ],
    ['the endpoint stopped before the cap', { usage: { promptTokens: 10, completionTokens: 50 }, stopReason: 'length' }, {}, 'max-context'],
    ['no room was left', { usage: { promptTokens: 10, completionTokens: 50 }, stopReason: 'context' }, {}, 'max-context'],
    [
      'the run used up its tokens',
      { usage: { promptTokens: 10, completionTokens: 60 }, stopReason: 'length' },
      { maxGeneratedTokens: 60 },
      'max-generated-tokens',
    ],
  ] as const)('is attributed when %s, and none of its calls is run', async (_when, step, limits, stopReason) => {
    const { trajectory } = await play([{ ...step, toolCalls: [bash('touch ran')] } as ScriptedStep], { limits });
    expect(trajectory.stopReason).toBe(stopReason);
    expect(observations(trajectory)).toEqual([[`Not executed: the run ended (${stopReason}).`]]);
    expect(trajectory.patch).toBe('');
  });

  it('leaves no empty turn when there was no room to write at all', async () => {
    const { trajectory } = await play([
      { toolCalls: [bash('echo 2 > a.txt')] },
      { stopReason: 'context', usage: { promptTokens: 0, completionTokens: 0 } },
    ]);
    expect(trajectory.stopReason).toBe('max-context');
    expect(trajectory.turns).toHaveLength(1);
    expect(trajectory.patch).toContain('+2');
  });
});

describe('a limit', () => {
  const turns = (count: number, usage = { promptTokens: 10, completionTokens: 5, costUsd: 0.5 }) =>
    Array.from({ length: count }, (_, index): ScriptedStep => ({ toolCalls: [bash(`echo ${index}`)], usage }));

  it.each([
    ['max-turns', { maxTurns: 3 }, 3],
    ['max-generated-tokens', { maxGeneratedTokens: 10 }, 2],
    ['max-cost', { maxCostUsd: 1.5 }, 3],
    // 15 tokens of the call; its answer is 90 bytes of compact JSON, so 23 more.
    ['max-context', { maxContextTokens: 38 }, 1],
  ] as const)('ends the run with %s under %j after its tools have run', async (stopReason, limits, count) => {
    const { trajectory, policy } = await play(turns(count), { limits });
    policy.assertDone();
    expect(trajectory.stopReason).toBe(stopReason);
    expect(observations(trajectory).at(-1)?.[0]).toContain('Exit code: 0');
  });

  it('counts the context as the usage of the last call and the bytes of the answers as compact JSON over 4', async () => {
    const { trajectory } = await play([...turns(1), stop], { limits: { maxContextTokens: 39 } });
    expect(trajectory.stopReason).toBe('agent');
  });

  it('counts the whole history itself where the policy reports no usage, with the tokenizer of the caller', async () => {
    const countTokens = (messages: readonly Message[]) => messages.length * 100;
    const { events, trajectory } = await play([...turns(2, { promptTokens: 0, completionTokens: 0, costUsd: 0 })], {
      countTokens,
      limits: { maxContextTokens: 600 },
    });
    expect(events.flatMap((event) => (event.type === 'turn-end' ? [event.contextTokens] : []))).toEqual([400, 600]);
    expect(trajectory.stopReason).toBe('max-context');
  });

  it('lowers the cap of a turn to what is left of the run', async () => {
    const { policy } = await play([...turns(1), stop], { limits: { maxGeneratedTokens: 50 } });
    expect(policy.requests.map((request) => request.sampling.maxTokens)).toEqual([50, 45]);
  });

  it('ends the run by the given clock with max-time', async () => {
    let ms = 0;
    const slow = () => {
      ms = 5000;
      return { toolCalls: [read] };
    };
    const { trajectory } = await play([slow], { now: () => ms, limits: { wallTimeMs: 5000 } });
    expect(trajectory.stopReason).toBe('max-time');
    expect(trajectory.turns).toHaveLength(1);
  });

  it('stops a tool that is at work when the time is over, and keeps the patch', async () => {
    const sandbox = await open({ 'a.txt': 'one\n' });
    const writeAndWait = tool('WriteAndWait', async () => {
      await sandbox.writeFile('a.txt', '2\n');
      return forever();
    });
    const steps = [{ toolCalls: [{ name: 'WriteAndWait', arguments: {} }, read] }];
    const { trajectory } = await play(steps, { sandbox, tools: [writeAndWait, ...leafTools()], limits: { wallTimeMs: 1000 } });
    expect(trajectory.stopReason).toBe('max-time');
    expect(observations(trajectory)).toEqual([['Not finished: the run ended (max-time).', 'Not executed: the run ended (max-time).']]);
    expect(trajectory.patch).toContain('+2');
  });

  it('ends the run also when policy or tool ignore the signal', async () => {
    const silent: Policy = { name: 'silent', respond: forever };
    expect((await play([], { policy: silent, limits: { wallTimeMs: 30 } })).trajectory.stopReason).toBe('max-time');
    const stuck = await play([{ toolCalls: [{ name: 'Stuck', arguments: {} }] }], {
      tools: [tool('Stuck', forever)],
      limits: { wallTimeMs: 100 },
    });
    expect(stuck.trajectory.stopReason).toBe('max-time');
  });

  it('ends the run after identical failures in a row', async () => {
    const bad = { toolCalls: [{ name: 'Read', arguments: '{' }] };
    const { trajectory } = await play([bad, { toolCalls: [read] }, bad, bad, { toolCalls: [...bad.toolCalls, read] }], {
      limits: { repeatedInvalidCalls: 3 },
    });
    expect(trajectory.stopReason).toBe('repeated-invalid-calls');
    expect(observations(trajectory).at(-1)?.[1]).toBe('Not executed: the run ended (repeated-invalid-calls).');
  });

  it('does not end the run for failures that differ', async () => {
    const missing = (path: string) => ({ toolCalls: [{ name: 'Read', arguments: { file_path: path } }] });
    const { trajectory } = await play([missing('x'), missing('y'), missing('x'), stop], { limits: { repeatedInvalidCalls: 2 } });
    expect(trajectory.stopReason).toBe('agent');
  });

  it('is refused when it is unknown', async () => {
    await expect(play([], { limits: { maxTurn: 3 } as never })).rejects.toMatchObject({ code: 'invalid-config' });
  });

  it('of the caller ends the run with the reason it gives', async () => {
    const { trajectory } = await play(turns(2), { stopConditions: [({ turns: { length } }) => (length === 2 ? 'max-cost' : undefined)] });
    expect(trajectory.stopReason).toBe('max-cost');
  });
});

describe('a stop condition', () => {
  const usage = { promptTokens: 90, completionTokens: 10, costUsd: 1 };
  const state = {
    turns: [{}, { usage }],
    usage: { ...usage, completionTokens: 30 },
    contextTokens: 100,
    elapsedMs: 5,
    repeatedFailures: 2,
  };

  it.each([
    ['max-turns', maxTurns(2), maxTurns(3)],
    ['max-context', maxContextTokens(100), maxContextTokens(101)],
    ['max-tokens-per-turn', maxTokensPerTurn(10), maxTokensPerTurn(11)],
    ['max-generated-tokens', maxGeneratedTokens(30), maxGeneratedTokens(31)],
    ['max-time', maxWallTime(5), maxWallTime(6)],
    ['max-cost', maxCost(1), maxCost(1.01)],
    ['repeated-invalid-calls', maxRepeatedInvalidCalls(2), maxRepeatedInvalidCalls(3)],
  ])('gives %s at its bound and nothing below it', (stopReason, reached, notReached) => {
    expect(reached(state as never)).toBe(stopReason);
    expect(notReached(state as never)).toBeUndefined();
  });

  it('joins others in a list, in whose order the reason is given', async () => {
    const steps = [{ toolCalls: [read] }, { toolCalls: [read], usage: { promptTokens: 10, completionTokens: 50 } }];
    const { trajectory } = await play(steps, { stopConditions: [maxTokensPerTurn(50), maxTurns(2)] });
    expect(trajectory.stopReason).toBe('max-tokens-per-turn');
  });

  it('bounds every run by default', () => {
    expect(limitConditions(agentLimitsSchema.parse({})).map(({ id }) => id)).toEqual([
      'maxContextTokens(65536)',
      'maxGeneratedTokens(65536)',
      'maxCost(2)',
      'maxWallTime(10800000)',
      'maxTurns(75)',
      'maxRepeatedInvalidCalls(5)',
    ]);
  });
});

describe('an answer of the policy', () => {
  it('whose calls repeat an id gets ids of its own, and no other is touched', async () => {
    const calls = (...ids: string[]) => ids.map((id) => ({ id, name: 'Read', arguments: '{"file_path":"a.txt"}' }));
    const messages = [calls('a', 'a'), calls('a-2', 'b'), []].map((toolCalls) => ({ role: 'assistant' as const, content: '', toolCalls }));
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
        ['a', 'a-2'],
        ['a', 'a-2'],
      ],
      [
        ['a-2-2', 'b'],
        ['a-2-2', 'b'],
      ],
      [[], []],
    ]);
    expect(trajectory.turns[2]?.assistant).toBe(messages[2]);
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
    expect(trajectory.error).toContain('expected an assistant message');
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
    expect(trajectory.error).toContain('Expected one log-probability for each of 2 completion ids, received 1');
  });

  it('of the sandbox ends the run, and every call has its answer', async () => {
    const sandbox = { ...(await open()), run: () => boundary('sandbox', 'gone'), diff: () => boundary('sandbox', 'gone too') };
    const { trajectory } = await play([{ toolCalls: [bash('true'), read] }], { sandbox });
    expect(trajectory).toMatchObject({ stopReason: 'sandbox-error', error: 'sandbox: gone', patch: '' });
    expect(observations(trajectory)).toEqual([
      ['Not finished: the run ended (sandbox-error).', 'Not executed: the run ended (sandbox-error).'],
    ]);
  });

  it('is the sandbox when the patch cannot be taken', async () => {
    const sandbox = { ...(await open()), diff: () => boundary('sandbox', 'gone') };
    expect((await play([stop], { sandbox })).trajectory).toMatchObject({ stopReason: 'sandbox-error', error: 'sandbox: gone', patch: '' });
  });
});

describe('cancelling', () => {
  it('by the signal ends a call at work, without a patch', async () => {
    const controller = new AbortController();
    const sandbox = await open({ 'a.txt': 'one\n' });
    const run: OwnedSandbox['run'] = (options) => {
      setImmediate(() => controller.abort());
      return sandbox.run(options);
    };
    const watched = { ...sandbox, run };
    const { trajectory } = await play([{ toolCalls: [bash('echo 2 > a.txt; sleep 60')] }], { signal: controller.signal, sandbox: watched });
    expect(trajectory).toMatchObject({ stopReason: 'cancelled', patch: '' });
  });

  it('before the start asks the policy nothing', async () => {
    const { trajectory, policy } = await play([], { signal: AbortSignal.abort() });
    expect(trajectory).toMatchObject({ stopReason: 'cancelled', turns: [] });
    expect(policy.requests).toEqual([]);
  });

  it('tells work that was abandoned to stop', async () => {
    let heard: AbortSignal | undefined;
    const deaf: Policy = {
      name: 'deaf',
      respond: ({ signal }) => {
        heard = signal;
        return forever();
      },
    };
    expect((await play([], { policy: deaf, limits: { wallTimeMs: 20 } })).trajectory.stopReason).toBe('max-time');
    expect(heard?.aborted).toBe(true);
  });

  it('by returning the generator leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    const run = runAgent({
      id: 'r',
      taskId: 't',
      instruction: 'i',
      policy: scriptedPolicy([]),
      tools: [],
      sampling,
      now: clock(),
      sandbox: await open(),
      signal,
    });
    await run.next();
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await run.return(undefined as never);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});
