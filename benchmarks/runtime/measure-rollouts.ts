import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Policy, SandboxProvider, ToolCall } from '@tadpole/contracts';
import { leafTools, rollOut } from '@tadpole/leaf-harness';
import { createDependencyStore, createGrader, createTaskOpener, readTask, taskHash } from '@tadpole/task-runtime';

const file = 'src/clamp.js';

/** Twenty calls as an agent makes them: 10 Read, 3 Glob, 2 Edit, 1 Write and 4 Bash. */
const calls: readonly (readonly [name: string, input: Readonly<Record<string, unknown>>])[] = [
  ...Array.from({ length: 5 }, () => [
    ['Read', { file_path: file }],
    ['Read', { file_path: file, offset: 1, limit: 5 }],
  ]).flat(),
  ...Array.from({ length: 3 }, () => ['Glob', { pattern: '**/*.js' }]),
  ['Write', { file_path: 'notes.txt', content: 'one\ntwo\n' }],
  ['Edit', { file_path: 'notes.txt', old_string: 'one', new_string: '1' }],
  ['Edit', { file_path: 'notes.txt', old_string: 'two', new_string: '2' }],
  ['Bash', { command: 'ls' }],
  ['Bash', { command: 'git status --short' }],
  ['Bash', { command: 'cat notes.txt' }],
  ['Bash', { command: 'grep -rn return src' }],
] as (readonly [string, Readonly<Record<string, unknown>>])[];

/** A policy that answers at once with the next call, so that what is measured is the harness, the sandbox and the grader. */
const immediatePolicy: Policy = {
  name: 'immediate',
  async respond({ messages }) {
    const turn = messages.filter(({ role }) => role === 'assistant').length;
    const call = calls[turn];
    const toolCalls: ToolCall[] = call === undefined ? [] : [{ id: `call-${turn}`, name: call[0], arguments: JSON.stringify(call[1]) }];
    return {
      message: { role: 'assistant', content: '', toolCalls },
      usage: { promptTokens: 100, completionTokens: 10 },
      stopReason: 'stop',
    };
  },
};

/** Whole rollouts of a small real task: sandbox, twenty tool calls, patch, end of the sandbox, grading in a fresh one. */
export async function measureRollouts(options: {
  provider: SandboxProvider;
  folder: string;
  rollouts: number;
  concurrency: number;
}): Promise<{ perMinute: number }> {
  const { provider, concurrency } = options;
  const task = await readTask(fileURLToPath(new URL('../../examples/tasks/clamp', import.meta.url)));
  const nodeModules = fileURLToPath(new URL('../../node_modules', import.meta.url));
  const dependencyStore = createDependencyStore({ nodeModules, into: join(options.folder, 'dependencies') });
  const grader = createGrader({ provider, dependencyStore });
  const play = async (samples: number) => {
    const ends = rollOut({
      tasks: [task],
      samplesPerTask: samples,
      hashTask: taskHash,
      purpose: 'evaluation',
      policy: immediatePolicy,
      weightsVersion: 'none',
      tools: leafTools(),
      grader,
      openSandbox: createTaskOpener({ provider, dependencyStore }),
      concurrency,
      gradingConcurrency: 1,
      sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 100 },
      seedFor: ({ sample }) => sample,
      now: Date.now,
    });
    for await (const { outcome, trajectory } of ends) {
      const failed = trajectory.turns.flatMap(({ observations }) => observations).find(({ content }) => content.includes('Error:'));
      if (failed !== undefined || trajectory.turns.length !== calls.length + 1) throw new Error(`a call failed: ${failed?.content}`);
      if (outcome.status !== 'scored') throw new Error(`a rollout was not scored: ${outcome.detail}`);
    }
  };
  await play(2);
  const started = performance.now();
  await play(options.rollouts);
  return { perMinute: (options.rollouts * 60_000) / (performance.now() - started) };
}
