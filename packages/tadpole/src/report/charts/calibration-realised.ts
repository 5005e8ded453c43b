import * as Plot from '@observablehq/plot';
import type { Rate } from '@tadpole/contracts';
import type { Html } from '../html.js';
import { percentText } from '../number-text.js';
import { renderChart } from './render-chart.js';

/** An admitted task's predicted solve rate beside what its first training group then showed. */
export interface Realised {
  readonly taskId: string;
  readonly predicted: number;
  readonly predictedInterval: readonly [number, number];
  readonly realised: Rate;
}

/** Predicted against realised solve rates: on the diagonal, calibration kept its word. */
export function calibrationRealised(tasks: readonly Realised[]): Html {
  const points = tasks.map(({ taskId, predicted, predictedInterval, realised }) => ({
    x: predicted * 100,
    xLow: predictedInterval[0] * 100,
    xHigh: predictedInterval[1] * 100,
    y: realised.rate * 100,
    yLow: realised.interval[0] * 100,
    yHigh: realised.interval[1] * 100,
    title: `${taskId}: predicted ${percentText(predicted)}, realised ${realised.successes} of ${realised.trials}`,
  }));
  const mean = (values: readonly number[]) => percentText(values.reduce((sum, value) => sum + value, 0) / values.length);
  return renderChart({
    name: 'Predicted and realised solve rate of admitted tasks',
    caption: `Admitted tasks that were trained on (${tasks.length}): mean predicted ${mean(tasks.map(({ predicted }) => predicted))}, mean realised ${mean(tasks.map(({ realised }) => realised.rate))}. Vertical bars are 95 % Wilson intervals of the first training group, horizontal ones the 95 % posterior intervals. By the time of its first group the policy has learned from the updates before it, and tasks were chosen for a middling measurement, so some drift from the diagonal is expected.`,
    plot: {
      width: 520,
      height: 420,
      x: { label: 'predicted solve rate (%) →', domain: [0, 100], grid: true },
      y: { label: '↑ realised solve rate of the first training group (%)', domain: [0, 100], grid: true },
      marks: [
        Plot.line(
          [
            [0, 0],
            [100, 100],
          ],
          { stroke: 'var(--grey)', strokeDasharray: '4 4' },
        ),
        Plot.ruleX(points, { x: 'x', y1: 'yLow', y2: 'yHigh', stroke: 'var(--blue)', strokeOpacity: 0.22, strokeWidth: 2 }),
        Plot.ruleY(points, { y: 'y', x1: 'xLow', x2: 'xHigh', stroke: 'var(--blue)', strokeOpacity: 0.12, strokeWidth: 2 }),
        Plot.dot(points, { x: 'x', y: 'y', fill: 'var(--blue)', r: 3.5, title: 'title' }),
      ],
    },
  });
}
