import { getEventListeners } from 'node:events';
import { type Message, type OwnedSandbox, type Policy, type Trajectory, trajectorySchema } from '@tadpole/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool, leafExactProfile, leafProfile, runAgent } from '../src/index.js';

/** What a scripted model does in one turn, and when the run is to be cut off from inside. */
const step = fc.record({
  calls: fc.array(
    fc.record({
      id: fc.constantFrom('1', '2', 'x'),
      name: fc.constantFrom('Echo', 'Fails', 'Nothing', 'Abort', 'Missing'),
      arguments: fc.constantFrom('{"text":"a"}', '{"text":1}', '{"text":', '[]', '', '{}'),
    }),
    { maxLength: 4 },
  ),
  stopReason: fc.constantFrom('stop', 'stop', 'stop', 'stop', 'length', 'context'),
  completionTokens: fc.nat(40),
  fails: fc.constantFrom(false, false, false, false, false, 'throw', 'abort', 'not a message'),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
const cut = fc.record({ at: fc.nat(40), how: fc.constantFrom('nothing', 'abort', 'return', 'throw') });

function assertValid(messages: readonly Message[]): void {
  expect(messages.slice(0, 2).map(({ role }) => role)).toEqual(['system', 'user']);
  const ids = new Set<string>();
  const waiting: string[] = [];
  for (const message of messages.slice(2)) {
    if (message.role === 'tool') {
      expect(message.toolCallId).toBe(waiting.shift());
      continue;
    }
    expect(message.role).toBe('assistant');
    expect(waiting).toEqual([]);
    if (message.role !== 'assistant') continue;
    for (const { id } of message.toolCalls) {
      expect(ids.has(id)).toBe(false);
      ids.add(id);
      waiting.push(id);
    }
  }
  expect(waiting).toEqual([]);
}

function scripted(steps: readonly Step[], controller: AbortController): Policy {
  let turn = 0;
  return {
    name: 'scripted',
    async respond({ messages }) {
      assertValid(messages);
      const { calls, stopReason, completionTokens, fails } = steps[turn++] ?? { calls: [], stopReason: 'stop', completionTokens: 1 };
      if (fails === 'throw') throw new Error('down');
      if (fails === 'abort') controller.abort();
      const message = { role: 'assistant' as const, content: '', toolCalls: calls };
      return {
        message: fails === 'not a message' ? ({ role: 'user' } as never) : message,
        usage: { promptTokens: 10, completionTokens },
        stopReason: stopReason as 'stop',
      };
    },
  };
}

const inputSchema = z.object({ text: z.string() });
const tools = (controller: AbortController) => [
  defineTool({ name: 'Echo', description: 'Echoes.', inputSchema, execute: async ({ text }) => text }),
  defineTool({ name: 'Fails', description: 'Fails.', inputSchema, execute: () => Promise.reject(new Error('no')) }),
  defineTool({ name: 'Nothing', description: 'Gives no text.', inputSchema, execute: async () => undefined as never }),
  defineTool({
    name: 'Abort',
    description: 'Stops the run from inside.',
    inputSchema,
    async execute() {
      controller.abort();
      return 'aborted';
    },
  }),
];
const unused = () => Promise.reject(new Error('not expected'));
const sandbox: OwnedSandbox = {
  ...{ id: 's', run: unused, readFile: unused, writeFile: unused, glob: unused, dispose: unused },
  diff: async () => 'patch',
};

describe('a run with any model and any interruption', () => {
  it.each([leafProfile(), leafExactProfile()])(
    'answers every call once, shows the model only valid histories, ends, and lets everything go ($profile)',
    async (profile) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 6 }), cut, async (steps, { at, how }) => {
          const controller = new AbortController();
          const run = runAgent({
            ...profile,
            id: 'r',
            taskId: 't',
            instruction: 'i',
            policy: scripted(steps, controller),
            tools: tools(controller),
            sandbox,
            sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 30, seed: 1 },
            limits: { maxTurns: 5, repeatedInvalidCalls: 3, maxGeneratedTokens: 90 },
            now: () => 0,
            signal: controller.signal,
          });
          const trajectory = await drive(run, controller, at, how);
          expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
          if (trajectory === undefined) return;
          trajectorySchema.parse(trajectory);
          assertValid([...trajectory.opening, ...trajectory.turns.flatMap(({ assistant, observations }) => [assistant, ...observations])]);
          expect(trajectory.patch).toBe(trajectory.stopReason === 'cancelled' ? '' : 'patch');
        }),
        { numRuns: 300 },
      );
    },
  );
});

/** Takes events up to the cut, then does what it says. */
async function drive(
  run: ReturnType<typeof runAgent>,
  controller: AbortController,
  at: number,
  how: string,
): Promise<Trajectory | undefined> {
  for (let event = 0; ; event += 1) {
    if (event === at && how === 'return') {
      await run.return(undefined as never);
      return undefined;
    }
    if (event === at && how === 'throw') {
      const thrown = new Error('of the consumer');
      await expect(run.throw(thrown)).rejects.toBe(thrown);
      return undefined;
    }
    if (event === at && how === 'abort') controller.abort();
    const next = await run.next();
    if (next.done === true) return next.value;
  }
}
