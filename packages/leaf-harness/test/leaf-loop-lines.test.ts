import type { StopReason } from '@tadpole/contracts';
import { describe, expect, it } from 'vitest';
import { type AgentLimitsInput, leafExactProfile, leafProfile } from '../src/index.js';
import type { ScriptedStep } from '../src/testing/index.js';
import { bash, observations, open, play, read, stop } from './agent-fixture.js';

interface Line {
  /** A line of frognano.md section 2.1 that holds in both profiles. */
  readonly line: string;
  readonly steps: readonly ScriptedStep[];
  readonly limits?: AgentLimitsInput;
  readonly stopReason: StopReason;
  readonly answers: readonly (readonly string[])[];
}

const used = (promptTokens: number, completionTokens: number) => ({ usage: { promptTokens, completionTokens } });
const read1 = 'a.txt\n1. one';
const lines: Line[] = [
  {
    line: 'several calls per turn, executed sequentially in order, each answered by its own tool message',
    steps: [{ toolCalls: [read, bash('echo two >> a.txt'), read] }, stop],
    stopReason: 'agent',
    answers: [[read1, 'Exit code: 0\nSTDOUT:\n\nSTDERR:\n', 'a.txt\n1. one\n2. two'], []],
  },
  { line: 'no tool call => exit agent', steps: [{ content: 'Done.' }], stopReason: 'agent', answers: [[]] },
  { line: 'also for empty content', steps: [{ content: '' }], stopReason: 'agent', answers: [[]] },
  {
    line: 'cut by length => calls are not executed; at the per-turn cap max_tokens_per_turn',
    steps: [{ toolCalls: [bash('echo ran > a.txt')], stopReason: 'length', ...used(10, 100) }],
    stopReason: 'max-tokens-per-turn',
    answers: [['Not executed: the run ended (max-tokens-per-turn).']],
  },
  {
    line: 'cut by length with prompt + completion >= max_context => max_context_len',
    steps: [{ stopReason: 'length', ...used(900, 100) }],
    limits: { maxContextTokens: 1000 },
    stopReason: 'max-context',
    answers: [[]],
  },
  {
    line: 'cut by length below both => max_context_len',
    steps: [{ stopReason: 'length', ...used(10, 50) }],
    stopReason: 'max-context',
    answers: [[]],
  },
  {
    line: 'cut by length without usage => max_tokens_per_turn',
    steps: [{ stopReason: 'length', ...used(0, 0) }],
    stopReason: 'max-tokens-per-turn',
    answers: [[]],
  },
  {
    line: 'context_length_exceeded => max_context_len with work preserved',
    steps: [{ toolCalls: [read] }, { stopReason: 'context', ...used(0, 0) }],
    stopReason: 'max-context',
    answers: [[read1]],
  },
  {
    // 15 tokens of the call; its answer is 69 bytes as compact JSON, so 18 more.
    line: 'context = usage + local count of the new tool messages, checked after each step',
    steps: [{ toolCalls: [read] }],
    limits: { maxContextTokens: 33 },
    stopReason: 'max-context',
    answers: [[read1]],
  },
  {
    line: 'max_turns',
    steps: [{ toolCalls: [read] }, { toolCalls: [read] }],
    limits: { maxTurns: 2 },
    stopReason: 'max-turns',
    answers: [[read1], [read1]],
  },
];

describe.each([leafProfile(), leafExactProfile()])('a line of the released loop ($profile)', (profile) => {
  it.each(lines)('$line', async ({ steps, limits, stopReason, answers }) => {
    const { trajectory, policy } = await play([...steps], { ...profile, limits });
    policy.assertDone();
    expect(trajectory.stopReason).toBe(stopReason);
    expect(observations(trajectory)).toEqual(answers);
  });

  it('system prompt, then the task instruction and nothing else', async () => {
    const { policy } = await play([stop], { ...profile });
    expect(policy.requests[0]?.messages).toEqual([
      { role: 'system', content: profile.systemPrompt },
      { role: 'user', content: 'Fix it.' },
    ]);
  });

  it('the time budget is checked at step start, and the patch captured on every exit except cancelled', async () => {
    let ms = 0;
    const slow = () => {
      ms = 5000;
      return { toolCalls: [bash('echo two > a.txt')] };
    };
    const late = await play([slow], { ...profile, now: () => ms, limits: { wallTimeMs: 5000 } });
    expect(late.trajectory.stopReason).toBe('max-time');
    expect(late.trajectory.patch).toContain('+two');
    const down = await play([{ toolCalls: [bash('echo two > a.txt')] }, () => Promise.reject(new Error('down'))], { ...profile });
    expect(down.trajectory).toMatchObject({ stopReason: 'policy-error', patch: expect.stringContaining('+two') });
    const controller = new AbortController();
    const sandbox = await open({ 'a.txt': 'one\n' });
    const abort = () => {
      controller.abort();
      return { toolCalls: [read] };
    };
    const steps = [{ toolCalls: [bash('echo two > a.txt')] }, abort];
    const cancelled = await play(steps, { ...profile, sandbox, signal: controller.signal });
    expect(cancelled.trajectory).toMatchObject({ stopReason: 'cancelled', patch: '' });
  });
});
