import * as Plot from '@observablehq/plot';
import { rate } from '@tadpole/evaluation';
import type { RealisedTask } from '@tadpole/taskpilot';
import type { Html } from '../html.js';
import { countText, percentText } from '../number-text.js';
import { legend, renderChart } from './render-chart.js';

/** Predicted against realised solve rates: on the diagonal, calibration kept its word. */
export function calibrationRealised(tasks: readonly RealisedTask[]): Html {
  const pooled = poolByPrediction(tasks);
  return renderChart({
    name: 'Predicted and realised solve rate of admitted tasks',
    legend: legend([
      { colour: '--blue', label: 'tasks with the same prediction, pooled' },
      { colour: '--grey', label: 'one task' },
    ]),
    caption: `${countText(tasks.length, 'admitted task')} that were trained on. Bars are 95 % Wilson intervals of the pooled rollouts, taken as independent. Two reasons to leave the diagonal: by the time of a task's first group the policy has learned from the updates before it, and tasks were chosen by the measurement that predicts them.`,
    plot: {
      width: 600,
      height: 440,
      x: { label: 'predicted solve rate (%) →', domain: [0, 100], grid: true, ticks: 6 },
      y: { label: '↑ realised solve rate of the first training group (%)', domain: [0, 100], grid: true, ticks: 6 },
      marks: [
        Plot.line(
          [
            [0, 0],
            [100, 100],
          ],
          { stroke: 'var(--grey)', strokeDasharray: '4 4' },
        ),
        Plot.dot(besideEachOther(tasks), { x: 'x', y: 'y', fill: 'var(--grey)', fillOpacity: 0.55, r: 2.5, title: 'title' }),
        Plot.ruleX(pooled, { x: 'x', y1: 'low', y2: 'high', stroke: 'var(--blue)', strokeOpacity: 0.6, strokeWidth: 3 }),
        Plot.dot(pooled, { x: 'x', y: 'y', fill: 'var(--blue)', r: 5, title: 'title' }),
      ],
    },
  });
}

function poolByPrediction(tasks: readonly RealisedTask[]) {
  const groups = groupBy(tasks, ({ predicted }) => predicted.mean.toFixed(2));
  return groups.map((group) => {
    const successes = group.reduce((sum, { realised }) => sum + realised.successes, 0);
    const trials = group.reduce((sum, { realised }) => sum + realised.trials, 0);
    const { rate: share, interval } = rate({ successes, trials });
    const x = (group[0] as RealisedTask).predicted.mean * 100;
    const title = `${countText(group.length, 'task')}: predicted ${x.toFixed(1)} %, realised ${successes} of ${trials}`;
    return { x, y: share * 100, low: interval[0] * 100, high: interval[1] * 100, title };
  });
}

/** Tasks that would cover each other stand side by side, left of their pooled point. */
function besideEachOther(tasks: readonly RealisedTask[]) {
  const groups = groupBy(tasks, ({ predicted, realised }) => `${predicted.mean.toFixed(2)} ${realised.rate.toFixed(2)}`);
  return groups.flatMap((group) =>
    group.map(({ taskId, predicted, realised }, index) => ({
      x: predicted.mean * 100 - 1.4 - 1.1 * index,
      y: realised.rate * 100,
      title: `${taskId}: predicted ${percentText(predicted.mean)}, realised ${realised.successes} of ${realised.trials}`,
    })),
  );
}

function groupBy(tasks: readonly RealisedTask[], nameOf: (task: RealisedTask) => string): readonly (readonly RealisedTask[])[] {
  const groups = new Map<string, RealisedTask[]>();
  for (const task of tasks) groups.set(nameOf(task), [...(groups.get(nameOf(task)) ?? []), task]);
  return [...groups.values()];
}
