import { isTadpoleError, type OwnedSandbox, TadpoleError, type Trajectory, type Unscored, type Usage } from '@tadpole/contracts';
import { addUsage, createAgentRecord } from '../loop/agent-state.js';
import { assembleTrajectory } from '../loop/assemble-trajectory.js';
import { describeError, type Ending } from '../loop/ending.js';
import { readStart } from '../loop/read-start.js';
import { runAgent } from '../loop/run-agent.js';
import { defaultSystemPrompt } from '../loop/system-prompt.js';
import { disposeSandbox } from './dispose-sandbox.js';
import type { PhaseClock } from './phase-clock.js';
import type { RollOutOptions } from './roll-out-options.js';
import type { PlannedRollout } from './rollout-end.js';

/** What one attempt gave; `failure` when the infrastructure failed and nothing can be said about the policy. */
export interface AgentAttempt {
  readonly trajectory: Trajectory;
  readonly failure?: Unscored;
}

/**
 * Runs the agent once in a fresh sandbox, which is gone when this returns: also the one whose end cannot be
 * verified in time counts as failed. @throws TadpoleError what `openSandbox` throws with another code than `sandbox`.
 */
export async function attemptAgent(parts: {
  options: RollOutOptions;
  planned: PlannedRollout;
  clock: PhaseClock;
  disposeMs: number;
}): Promise<AgentAttempt> {
  const { options, planned, clock, disposeMs } = parts;
  const {
    policy,
    tools,
    limits,
    systemPrompt = defaultSystemPrompt,
    stopConditions,
    callRules,
    profile,
    countTokens,
    binaries,
    now,
  } = options;
  const { task, sampling } = planned;
  const { instruction, id: taskId } = task.data;
  const id = `${taskId}.${planned.sample}.${planned.key.slice(0, 12)}`;
  const harness = { policy, tools, limits, systemPrompt, stopConditions, callRules, profile, countTokens, binaries };
  const run = { id, taskId, instruction, sampling, now, ...harness };
  const startedMs = readStart(now);
  const withoutTurns = (ending: Ending): Trajectory =>
    assembleTrajectory({ options: run, record: createAgentRecord({ systemPrompt, instruction }), ending, patch: '', startedMs });

  const opening = await openSandbox();
  if (opening.sandbox === undefined)
    return { trajectory: withoutTurns({ stopReason: 'sandbox-error', error: opening.failure.detail }), failure: opening.failure };

  let trajectory: Trajectory;
  let failure: Unscored | undefined;
  let disposal: Unscored | undefined;
  const { sandbox } = opening;
  try {
    let usage: Usage = { promptTokens: 0, completionTokens: 0 };
    const onMessage = (turn: Usage) => {
      usage = addUsage(usage, turn);
    };
    const ran = await clock.run({ phase: 'agent', work: (signal) => drain(runAgent({ ...run, sandbox, signal }), onMessage) });
    trajectory = ran.value ?? { ...withoutTurns({ stopReason: 'cancelled' }), usage };
    failure = ran.status === 'done' ? boundaryFailure(trajectory) : ran.failure;
  } finally {
    disposal = await disposeSandbox({ sandbox, timeoutMs: disposeMs });
  }
  return { trajectory, failure: failure ?? disposal };

  async function openSandbox(): Promise<{ sandbox: OwnedSandbox } | { sandbox?: undefined; failure: Unscored }> {
    try {
      const opened = await clock.run({
        phase: 'open',
        work: (signal) => options.openSandbox(task, signal),
        late: (sandbox) => void disposeSandbox({ sandbox, timeoutMs: disposeMs }),
      });
      if (opened.status === 'done' && !isSandbox(opened.value))
        throw new TadpoleError({ code: 'sandbox', message: `expected openSandbox to give a sandbox, received ${typeof opened.value}` });
      if (opened.status === 'done') return { sandbox: opened.value };
      if (opened.value !== undefined) await disposeSandbox({ sandbox: opened.value, timeoutMs: disposeMs });
      return { failure: opened.failure };
    } catch (error) {
      if (!isTadpoleError(error) || error.code !== 'sandbox') throw error;
      return { failure: { status: 'unscored', reason: 'sandbox-failed', boundary: 'sandbox', detail: describeError(error) } };
    }
  }
}

function isSandbox(value: unknown): value is OwnedSandbox {
  return typeof value === 'object' && value !== null;
}

function boundaryFailure({ stopReason, error = '' }: Trajectory): Unscored | undefined {
  if (stopReason === 'sandbox-error') return { status: 'unscored', reason: 'sandbox-failed', boundary: 'sandbox', detail: error };
  if (stopReason === 'policy-error') return { status: 'unscored', reason: 'policy-failed', boundary: 'policy', detail: error };
  return undefined;
}

/** Runs to the end, and tells each turn's usage at once: an agent that is abandoned later has cost it all the same. */
async function drain(run: ReturnType<typeof runAgent>, onMessage: (usage: Usage) => void): Promise<Trajectory> {
  for (;;) {
    const next = await run.next();
    if (next.done === true) return next.value;
    if (next.value.type === 'message-end') onMessage(next.value.usage);
  }
}
