import type { Message, Policy } from '@tadpole/contracts';
import { describe, expect, it } from 'vitest';
import {
  agentLimitsSchema,
  leafTools,
  limitConditions,
  maxContextTokens,
  maxCost,
  maxGeneratedTokens,
  maxRepeatedInvalidCalls,
  maxTokensPerTurn,
  maxTurns,
  maxWallTime,
} from '../src/index.js';
import type { ScriptedStep } from '../src/testing/index.js';
import { bash, forever, observations, open, play, read, stop, tool } from './agent-fixture.js';

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

it('refuses a stop condition that gives no reason of the contracts', async () => {
  const own = Object.assign(() => 'mine' as never, { id: 'mine' });
  await expect(play([{ toolCalls: [read] }], { stopConditions: [own] })).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringMatching(/stop condition mine: expected one of agent, .*, received mine/),
  });
});
