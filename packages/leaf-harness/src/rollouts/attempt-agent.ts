import { isTadpoleError, type OwnedSandbox, type Trajectory, type Unscored } from '@tadpole/contracts';
import { createAgentRecord } from '../loop/agent-state.js';
import { assembleTrajectory } from '../loop/assemble-trajectory.js';
import { describeError } from '../loop/ending.js';
import { runAgent } from '../loop/run-agent.js';
import { defaultSystemPrompt } from '../loop/system-prompt.js';
import type { RollOutOptions } from './roll-out-options.js';
import type { PlannedRollout } from './rollout-end.js';

/** What one attempt gave; `failure` when the infrastructure failed and nothing can be said about the policy. */
export interface AgentAttempt {
  readonly trajectory: Trajectory;
  readonly failure?: Unscored;
}

/**
 * Runs the agent once in a fresh sandbox, which is gone when this returns: also the one whose end cannot be
 * verified counts as failed. @throws TadpoleError what `openSandbox` throws with another code than `sandbox`.
 */
export async function attemptAgent(parts: {
  options: RollOutOptions;
  planned: PlannedRollout;
  signal: AbortSignal;
}): Promise<AgentAttempt> {
  const { options, planned, signal } = parts;
  const { policy, tools, limits, systemPrompt = defaultSystemPrompt, stopConditions, now } = options;
  const { task, sampling } = planned;
  const { instruction, id: taskId } = task.data;
  const id = `${taskId}.${planned.sample}.${planned.key.slice(0, 12)}`;
  const run = { id, taskId, instruction, policy, tools, sampling, limits, systemPrompt, stopConditions, now, signal };
  const startedMs = now();

  let sandbox: OwnedSandbox;
  try {
    sandbox = await options.openSandbox(task, signal);
  } catch (error) {
    if (!isTadpoleError(error) || error.code !== 'sandbox') throw error;
    const record = createAgentRecord({ systemPrompt, instruction });
    const ending = { stopReason: 'sandbox-error', error: describeError(error) } as const;
    const trajectory = assembleTrajectory({ options: run, record, ending, patch: '', startedMs });
    return { trajectory, failure: sandboxFailed(ending.error) };
  }

  let trajectory: Trajectory;
  let disposal: Unscored | undefined;
  try {
    trajectory = await drain(runAgent({ ...run, sandbox }));
  } finally {
    disposal = await dispose(sandbox);
  }
  return { trajectory, failure: boundaryFailure(trajectory) ?? disposal };
}

function boundaryFailure({ stopReason, error = '' }: Trajectory): Unscored | undefined {
  if (stopReason === 'sandbox-error') return sandboxFailed(error);
  if (stopReason === 'policy-error') return { status: 'unscored', reason: 'policy-failed', boundary: 'policy', detail: error };
  return undefined;
}

async function dispose(sandbox: OwnedSandbox): Promise<Unscored | undefined> {
  try {
    await sandbox.dispose();
    return undefined;
  } catch (error) {
    return sandboxFailed(`sandbox ${sandbox.id} could not be disposed: ${describeError(error)}`);
  }
}

function sandboxFailed(detail: string): Unscored {
  return { status: 'unscored', reason: 'sandbox-failed', boundary: 'sandbox', detail };
}

async function drain(run: ReturnType<typeof runAgent>): Promise<Trajectory> {
  for (;;) {
    const next = await run.next();
    if (next.done === true) return next.value;
  }
}
