import { type AnyTool, isTadpoleError, stopReasonSchema, TadpoleError, type Trajectory } from '@tadpole/contracts';
import { toolDefinition } from '../tools/tool-definition.js';
import type { AgentEvent } from './agent-event.js';
import { parseAgentLimits } from './agent-limits.js';
import { createAgentRecord } from './agent-state.js';
import { assembleTrajectory } from './assemble-trajectory.js';
import { openDeadline } from './deadline.js';
import { describeError, type Ending } from './ending.js';
import { readStart } from './read-start.js';
import type { RunAgentOptions } from './run-options.js';
import { limitConditions } from './stop-condition.js';
import { defaultSystemPrompt } from './system-prompt.js';
import { takeTurn } from './take-turn.js';
import type { TurnContext } from './turn-context.js';

/**
 * The agent loop: asks the policy, runs the tools it calls, and goes on until a turn calls none or a limit is
 * reached (frognano.md section 2.1). Yields what happens and returns the trajectory, whose patch is taken on
 * every exit except `cancelled`. A failed policy or sandbox is a stop reason, not a throw. The rules of `leafProfile`
 * hold unless another profile is spread into the options.
 *
 * The sandbox stays the caller's. `return()` and `throw()` on the generator release the run's timer and listeners; to
 * interrupt work in progress use `signal`. A tool or policy that ignores its signal is abandoned, not ended: disposing the sandbox is.
 *
 * @throws TadpoleError `invalid-config` for limits that the schema refuses, `invalid-input` for a tool without a JSON
 *   Schema, two of one name, or a clock that gives no time.
 */
export async function* runAgent(options: RunAgentOptions): AsyncGenerator<AgentEvent, Trajectory> {
  const { systemPrompt = defaultSystemPrompt, instruction } = options;
  const limits = parseAgentLimits(options.limits);
  const record = createAgentRecord({ systemPrompt, instruction });
  assertDistinctNames(options.tools);
  const definitions = options.tools.map(toolDefinition);
  const startedMs = readStart(options.now);
  const deadline = openDeadline({ timeoutMs: limits.wallTimeMs, signal: options.signal });
  const context: TurnContext = { options, limits, definitions, record, deadline };
  try {
    yield { type: 'agent-start', id: options.id, taskId: options.taskId, opening: [...record.opening] };
    const ending = yield* takeTurns(context, startedMs);
    const { patch, ...end } = await capturePatch(options, ending);
    yield { type: 'agent-end', ...end };
    return assembleTrajectory({ options, record, ending: end, patch, startedMs });
  } finally {
    deadline.close();
  }
}

async function* takeTurns(context: TurnContext, startedMs: number): AsyncGenerator<AgentEvent, Ending> {
  const { options, limits, record, deadline } = context;
  const conditions = [...limitConditions(limits), ...(options.stopConditions ?? [])];
  for (;;) {
    if (options.signal?.aborted) return { stopReason: 'cancelled' };
    if (deadline.hasExpired() || options.now() - startedMs >= limits.wallTimeMs) return { stopReason: 'max-time' };
    const ending = yield* takeTurn(context);
    if (ending !== undefined) return ending;
    for (const condition of conditions) {
      const stopReason = condition({ ...record, elapsedMs: options.now() - startedMs });
      if (stopReason === undefined) continue;
      if (stopReasonSchema.safeParse(stopReason).success) return { stopReason };
      throw new TadpoleError({
        code: 'invalid-input',
        message: `The stop condition ${condition.id ?? 'without an id'}: expected one of ${stopReasonSchema.options.join(', ')}, received ${String(stopReason)}.`,
      });
    }
  }
}

/** The patch, also after a failure: work that was done is kept where the sandbox still answers. */
async function capturePatch({ sandbox, binaries, signal }: RunAgentOptions, ending: Ending): Promise<Ending & { patch: string }> {
  if (ending.stopReason === 'cancelled') return { ...ending, patch: '' };
  try {
    const patch: unknown = await sandbox.diff({ binaries, signal });
    if (typeof patch === 'string') return { ...ending, patch };
    throw new TadpoleError({ code: 'sandbox', message: `expected diff to give the patch as text, received ${typeof patch}` });
  } catch (error) {
    if (signal?.aborted) return { stopReason: 'cancelled', patch: '' };
    // A change that is no patch, such as one that is too large, is the agent's own doing: it has none.
    if (isTadpoleError(error) && error.code === 'invalid-input') return { ...ending, patch: '', error: describeError(error) };
    if (ending.stopReason === 'policy-error' || ending.stopReason === 'sandbox-error') return { ...ending, patch: '' };
    return { stopReason: 'sandbox-error', error: describeError(error), patch: '' };
  }
}

function assertDistinctNames(tools: readonly AnyTool[]): void {
  const names = tools.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated === undefined) return;
  throw new TadpoleError({
    code: 'invalid-input',
    message: `runAgent: expected tools of distinct names, received ${repeated} twice. Rename one of them.`,
  });
}
