import { getEventListeners } from 'node:events';
import type { OwnedSandbox, Policy } from '@tadpole/contracts';
import { describe, expect, it } from 'vitest';
import { defaultSystemPrompt, harnessFingerprint, leafExactProfile, leafTools, runAgent } from '../src/index.js';
import { scriptedPolicy } from '../src/testing/index.js';
import { bash, clock, forever, observations, open, play, read, sampling, stop, tool } from './agent-fixture.js';

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

  it('shows the policy the prompt, the instruction and every answer', async () => {
    const { policy, trajectory } = await play([{ toolCalls: [read] }, stop]);
    expect(policy.requests[0]?.messages).toEqual([
      { role: 'system', content: defaultSystemPrompt },
      { role: 'user', content: 'Fix it.' },
    ]);
    expect(policy.requests[1]?.messages.slice(3)).toEqual([{ role: 'tool', toolCallId: 'call-0-0', content: 'a.txt\n1. one' }]);
    expect(policy.requests[1]?.messages[2]).toEqual(trajectory.turns[0]?.assistant);
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

describe('tools', () => {
  it('of one name are refused before anything runs', async () => {
    const twice = play([], { tools: [tool('Ping', forever), tool('Ping', forever)] });
    await expect(twice).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringContaining('Ping') });
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
