import type { Sampler, TadpoleEvent, Task } from '@tadpole/contracts';
import { type Calibration, calibrate, decisionTable } from '@tadpole/taskpilot';
import type { ClimbContext } from './climb-context.js';
import { rollOutJournaled } from './roll-out-journaled.js';

/** A task that was measured, and what the rule said of it. */
export interface CalibratedTask {
  readonly task: Task;
  readonly calibration: Calibration;
}

/**
 * Measures the current policy on tasks in waves until the decision table has settled each. Journals every
 * verdict and returns the tasks in the band with their measurements, in the given order, and the rule's name.
 */
export async function* calibrateTasks(options: {
  context: ClimbContext;
  sampler: Sampler;
  tasks: readonly Task[];
  iteration: number;
}): AsyncGenerator<TadpoleEvent, { inBand: readonly CalibratedTask[]; ruleName: string }> {
  const { context, sampler, iteration } = options;
  const { band, wave, maxTrials, falseAcceptCost, rolloutCost } = context.configuration.calibration;
  const rule = decisionTable({ band, mu: falseAcceptCost, lambda: rolloutCost, maxTrials, wave });
  const tasks = new Map(options.tasks.map((task) => [task.data.id, { id: task.data.id, task }]));
  const events: TadpoleEvent[] = [];

  const process = calibrate({
    tasks: [...tasks.values()],
    rule,
    band,
    wave,
    signal: context.options.signal,
    async *rollOut({ requests }) {
      const rollouts = rollOutJournaled({
        context,
        purpose: 'calibration',
        iteration,
        sampler,
        requests: requests.map(({ task, samples }) => ({ task: task.task, samples })),
      });
      let step = await rollouts.next();
      for (; !step.done; step = await rollouts.next()) events.push(step.value);
      for (const { task, outcome } of step.value) yield { taskId: task.data.id, outcome };
    },
  });

  let step = await process.next();
  for (; !step.done; step = await process.next()) {
    yield* events.splice(0);
    if (step.value.type !== 'candidate-calibrate') continue;
    const { type, taskId, verdict, successes, trials, unscored, posteriorMean, posteriorInterval, probabilityInBand } = step.value;
    const { lineage } = (tasks.get(taskId) as { task: Task }).task.data;
    yield context.record({
      type,
      iteration,
      taskId,
      verdict,
      successes,
      trials,
      unscored,
      posteriorMean,
      posteriorInterval: [posteriorInterval[0], posteriorInterval[1]],
      probabilityInBand,
      strategy: lineage.kind === 'generated' ? lineage.generator : lineage.kind,
      source: lineage.kind === 'generated' ? lineage.source : '',
      origin: 'fresh',
      admitted: verdict === 'in-band',
    });
  }
  yield* events.splice(0);
  const inBand = step.value.results.flatMap((calibration) => {
    const entry = tasks.get(calibration.taskId);
    return entry && calibration.verdict === 'in-band' ? [{ task: entry.task, calibration }] : [];
  });
  return { inBand, ruleName: rule.name };
}
