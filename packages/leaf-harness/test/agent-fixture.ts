import { type OwnedSandbox, type Trajectory, trajectorySchema } from '@tadpole/contracts';
import { afterEach } from 'vitest';
import { z } from 'zod';
import { type AgentEvent, defineTool, leafTools, type RunAgentOptions, runAgent } from '../src/index.js';
import { scriptedPolicy, unsafeDirectorySandbox } from '../src/testing/index.js';

let opened: OwnedSandbox[] = [];

/** A sandbox that is gone after the test. */
export const open = async (files: Record<string, string> = {}) => {
  const sandbox = await unsafeDirectorySandbox({ files });
  opened.push(sandbox);
  return sandbox;
};
afterEach(async () => {
  await Promise.all(opened.map((sandbox) => sandbox.dispose()));
  opened = [];
});

export const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 100, seed: 7 };
export const read = { name: 'Read', arguments: { file_path: 'a.txt' } };
export const bash = (command: string) => ({ name: 'Bash', arguments: { command } });
export const stop = { content: 'Done.' };
/** Never settles. */
export const forever = () => new Promise<never>(() => undefined);
export const tool = (name: string, execute: () => Promise<string>) =>
  defineTool({ name, description: name, inputSchema: z.object({}), execute });

/** A scripted clock: every question takes a millisecond. */
export const clock = () => {
  let ms = Date.UTC(2026, 0, 1);
  return () => ms++;
};

/** Runs a script to its end, in a sandbox with one file unless another is given. */
export async function play(
  steps: Parameters<typeof scriptedPolicy>[0],
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

/** What each turn's calls were answered. */
export const observations = (trajectory: Trajectory) => trajectory.turns.map((turn) => turn.observations.map(({ content }) => content));
