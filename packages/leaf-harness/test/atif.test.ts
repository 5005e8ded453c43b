import { type Outcome, stopReasonSchema, type Trajectory } from '@tadpole/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atifDocumentSchema, fromAtif, leafTools, toAtif, toolDefinition } from '../src/index.js';

const usage = fc.record(
  {
    promptTokens: fc.nat(),
    completionTokens: fc.nat(),
    costUsd: fc.option(
      fc.double({ min: 0, max: 9, noNaN: true }).map((x) => x + 0),
      { nil: undefined },
    ),
    isEstimated: fc.constant(true as const),
  },
  { requiredKeys: ['promptTokens', 'completionTokens'] },
);
const withoutUndefined = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;
const call = fc.record({
  id: fc.string({ minLength: 1 }),
  name: fc.string(),
  arguments: fc.oneof(
    fc.json(),
    fc.string(),
    fc.constant('{"b":1,"a":{"__proto__":1}}'),
    fc.constant('{"__proto__":1}'),
    fc.constant('{ "a": 1.0 }'),
  ),
});
const turn = fc
  .record({
    content: fc.string(),
    reasoning: fc.option(fc.string(), { nil: undefined }),
    calls: fc.uniqueArray(fc.tuple(call, fc.string()), { maxLength: 3, selector: ([{ id }]) => id }),
    usage,
    durationMs: fc.nat(),
  })
  .map(({ content, reasoning, calls, ...rest }) => ({
    assistant: {
      role: 'assistant' as const,
      content,
      ...(reasoning === undefined ? {} : { reasoning }),
      toolCalls: calls.map(([toolCall]) => toolCall),
    },
    observations: calls.map(([{ id }, text]) => ({ role: 'tool' as const, toolCallId: id, content: text })),
    ...rest,
  }));
const segment = fc
  .array(
    fc.tuple(
      fc.nat(),
      fc.boolean(),
      fc.double({ min: -50, max: 0, noNaN: true }).map((x) => x + 0),
    ),
  )
  .map((tokens) => ({
    ids: tokens.map(([id]) => id),
    mask: tokens.map(([, mask]) => mask),
    logprobs: tokens.map(([, , logprob]) => logprob),
    weightsVersions: ['w1'],
  }));
const trajectory: fc.Arbitrary<Trajectory> = fc
  .record(
    {
      id: fc.string({ minLength: 1 }),
      taskId: fc.string(),
      policy: fc.string(),
      sampling: fc.constant({ temperature: 1, topP: 1, topK: 0, maxTokens: 8, seed: 1 }),
      opening: fc.tuple(
        fc.record({ role: fc.constant('system' as const), content: fc.string() }),
        fc.record({ role: fc.constant('user' as const), content: fc.string() }),
      ),
      turns: fc.array(turn, { maxLength: 4 }),
      segments: fc.array(segment, { maxLength: 2 }),
      segmentBreaks: fc.nat(3),
      stopReason: fc.constantFrom(...stopReasonSchema.options),
      error: fc.string(),
      redactions: fc.option(fc.nat(), { nil: undefined }),
      patch: fc.string(),
      usage,
      startedAt: fc.constant('2026-01-01T00:00:00.000Z'),
      durationMs: fc.nat(),
      harnessFingerprint: fc.string(),
    },
    { noNullPrototype: true },
  )
  .map(withoutUndefined);
const outcome = fc.constantFrom<Outcome | undefined>(
  undefined,
  { status: 'scored', reward: 0.5, components: { tests: 1 }, tests: [{ id: 'a::b', file: 'a', name: 'b', status: 'passed' }] },
  { status: 'unscored', reason: 'sandbox-failed', boundary: 'sandbox', detail: 'gone' },
);

describe('ATIF', () => {
  it('gives every trajectory and outcome back through JSON', () => {
    fc.assert(
      fc.property(trajectory, outcome, (given, graded) => {
        const document = toAtif(given, { outcome: graded });
        atifDocumentSchema.parse(document);
        const back = fromAtif(JSON.parse(JSON.stringify(document)));
        expect(back.trajectory).toEqual(given);
        expect(back.outcome).toEqual(graded);
      }),
    );
  });

  const example: Trajectory = {
    ...fc.sample(trajectory, { numRuns: 1, seed: 1 })[0]!,
    opening: [
      { role: 'system', content: 's' },
      { role: 'user', content: 'u' },
    ],
    turns: [
      {
        assistant: {
          role: 'assistant',
          content: 'c',
          reasoning: 'r',
          toolCalls: [
            { id: '1', name: 'Read', arguments: '{"file_path":"a"}' },
            { id: '2', name: 'Read', arguments: '{"file' },
          ],
        },
        observations: [
          { role: 'tool', toolCallId: '1', content: 'o1' },
          { role: 'tool', toolCallId: '2', content: 'o2' },
        ],
        usage: { promptTokens: 3, completionTokens: 2, costUsd: 0.1 },
        durationMs: 4,
      },
    ],
  };

  it('puts messages, calls, observations and tokens where the format has them', () => {
    const { schema_version, agent, steps } = toAtif(example, { tools: leafTools().map(toolDefinition) });
    expect(schema_version).toBe('ATIF-v1.8');
    expect(agent.tool_definitions).toHaveLength(5);
    expect(steps.map(({ step_id, source, message }) => [step_id, source, message])).toEqual([
      [1, 'system', 's'],
      [2, 'user', 'u'],
      [3, 'agent', 'c'],
    ]);
    expect(steps[2]).toMatchObject({
      reasoning_content: 'r',
      tool_calls: [
        { tool_call_id: '1', function_name: 'Read', arguments: { file_path: 'a' } },
        { tool_call_id: '2', function_name: 'Read', arguments: {}, extra: { tadpole: { arguments: '{"file' } } },
      ],
      observation: {
        results: [
          { source_call_id: '1', content: 'o1' },
          { source_call_id: '2', content: 'o2' },
        ],
      },
      metrics: { prompt_tokens: 3, completion_tokens: 2, cost_usd: 0.1 },
    });
  });

  it.each([
    ['another format', { schema_version: 'leaf-1' }, 'invalid-input'],
    ['steps out of order', { steps: [{ step_id: 2, source: 'user', message: '' }] }, 'invalid-input'],
    ['a document of another harness', { extra: undefined }, 'unsupported'],
    [
      'an unknown stop reason',
      { extra: { tadpole: { ...(toAtif(example).extra!.tadpole as object), stopReason: 'tired' } } },
      'invalid-input',
    ],
  ])('refuses %s', (_what, change, code) => {
    expect(() => fromAtif({ ...toAtif(example), ...change })).toThrow(expect.objectContaining({ code }));
  });

  it('refuses to write two calls of one id, which it could not read back', () => {
    const [turn] = example.turns;
    const toolCalls = turn!.assistant.toolCalls.map((given) => ({ ...given, id: 'x' }));
    const observations = turn!.observations.map((given) => ({ ...given, toolCallId: 'x' }));
    const turns = [{ ...turn!, assistant: { ...turn!.assistant, toolCalls }, observations }];
    expect(() => toAtif({ ...example, turns })).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  });

  it('refuses to write observations that do not answer the calls', () => {
    const turns = example.turns.map((given) => ({ ...given, observations: given.observations.slice(1) }));
    expect(() => toAtif({ ...example, turns })).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  });
});
