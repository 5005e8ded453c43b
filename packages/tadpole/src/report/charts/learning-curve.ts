import * as Plot from '@observablehq/plot';
import type { Rate } from '@tadpole/contracts';
import type { Html } from '../html.js';
import { legend, renderChart } from './render-chart.js';

/** A solve rate at a number of updates. */
export interface CurvePoint {
  /** Updates that the policy had behind it when it was rolled out. */
  readonly updates: number;
  readonly rate: Rate;
}

/** Held-out pass@1 at each evaluation and the training solve rate at each update, with their intervals. */
export function learningCurve(options: { heldOut: readonly CurvePoint[]; training: readonly CurvePoint[] }): Html {
  const heldOut = options.heldOut.map(flatPoint);
  const training = options.training.map(flatPoint);
  return renderChart({
    name: 'Solve rate on held-out tasks and on training tasks over updates',
    legend: legend([
      { colour: '--blue', label: 'held-out tasks, pass@1' },
      { colour: '--grey', label: 'training tasks, solve rate' },
    ]),
    caption:
      'A point is a share of scored rollouts; its bar is the 95 % Wilson interval, which takes rollouts as independent. Training rollouts are counted after the audit gate. Training tasks change with every update and are chosen to be of middling difficulty, so only the held-out curve compares policies.',
    plot: {
      height: 340,
      x: { label: 'updates done →', domain: xDomain([...heldOut, ...training]), ticks: 8, tickFormat: wholeNumber },
      y: { label: '↑ solve rate (%)', domain: [0, 100], grid: true },
      marks: [
        Plot.ruleX(training, { x: 'x', y1: 'low', y2: 'high', stroke: 'var(--grey)', strokeOpacity: 0.45, strokeWidth: 2 }),
        Plot.dot(training, { x: 'x', y: 'y', fill: 'var(--grey)', r: 2.5, title: 'title' }),
        Plot.line(heldOut, { x: 'x', y: 'y', stroke: 'var(--blue)', strokeWidth: 1.5, strokeOpacity: 0.6 }),
        Plot.ruleX(heldOut, { x: 'x', y1: 'low', y2: 'high', stroke: 'var(--blue)', strokeWidth: 4, strokeOpacity: 0.7 }),
        Plot.dot(heldOut, { x: 'x', y: 'y', fill: 'var(--blue)', r: 5, title: 'title' }),
        Plot.text(heldOut, {
          x: 'x',
          y: 'y',
          text: 'label',
          dx: 9,
          dy: -10,
          textAnchor: 'start',
          fill: 'var(--blue)',
          stroke: 'var(--paper)',
          fontWeight: 600,
        }),
      ],
    },
  });
}

function flatPoint({ updates, rate }: CurvePoint) {
  const [low, high] = rate.interval;
  const label = `${(rate.rate * 100).toFixed(1)} %`;
  return {
    x: updates,
    y: rate.rate * 100,
    low: low * 100,
    high: high * 100,
    label,
    title: `after ${updates} updates: ${rate.successes} of ${rate.trials} solved (${label})`,
  };
}

/** At least one update wide, with room for the last point's label. */
function xDomain(points: readonly { readonly x: number }[]): [number, number] {
  const last = Math.max(1, ...points.map(({ x }) => x));
  return [-0.02 * last, last * 1.05];
}

/** Axis labels for counts: nothing between two whole numbers. */
export function wholeNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : '';
}
