import type { Sampler, TadpoleEvent } from '@tadpole/contracts';
import type { SynthesisPolicy } from '@tadpole/taskpilot';
import type { ClimbContext } from './climb-context.js';
import { draftTask } from './draft-tasks.js';
import { rollOutJournaled } from './roll-out-journaled.js';

/** The current policy as a synthesis asks it: what the journal holds of its rollouts is read back, never repeated. */
export function journaledPolicy(options: {
  context: ClimbContext;
  sampler: Sampler;
  iteration: number;
  /** Takes the event of every rollout that was not read back. */
  onEvent: (event: TadpoleEvent) => void;
}): SynthesisPolicy {
  const { context, sampler, iteration, onEvent } = options;
  return {
    weightsVersion: sampler.weightsVersion,
    async *rollOut({ requests }) {
      const tasks = await Promise.all(
        requests.map(async ({ task: draft, snapshot, samples }) => ({ task: await draftTask({ context, draft, snapshot }), samples })),
      );
      const rollouts = rollOutJournaled({ context, purpose: 'calibration', iteration, sampler, requests: tasks });
      let step = await rollouts.next();
      for (; step.done !== true; step = await rollouts.next()) onEvent(step.value);
      for (const { task, trajectory, outcome } of step.value) yield { taskId: task.data.id, outcome, turns: trajectory.turns.length };
    },
  };
}
