import * as Plot from '@observablehq/plot';
import type { Rate } from '@tadpole/contracts';
import type { Html } from '../html.js';
import { percentText } from '../number-text.js';
import { renderChart } from './render-chart.js';

/** Rates below one another, each a point with its interval on one axis. */
export function rateComparison(rows: readonly { readonly label: string; readonly rate: Rate }[]): Html {
  const points = rows.map(({ label, rate }, index) => ({
    row: String(index),
    zero: 0,
    value: rate.rate * 100,
    low: rate.interval[0] * 100,
    high: rate.interval[1] * 100,
    text: `${label}: ${percentText(rate.rate)} (${rate.successes} of ${rate.trials})`,
    colour: index === 0 ? 'var(--grey)' : 'var(--blue)',
  }));
  const end = Math.min(100, Math.ceil((Math.max(...points.map(({ high }) => high)) + 5) / 10) * 10);
  return renderChart({
    name: 'Held-out tasks solved before and after training',
    caption: 'Share of scored held-out rollouts that solve their task: a point with its 95 % Wilson interval.',
    plot: {
      width: 600,
      height: 76 + 56 * points.length,
      marginLeft: 8,
      marginTop: 8,
      x: { label: 'held-out tasks solved (%) →', domain: [0, end], grid: true, ticks: 6 },
      y: { axis: null, domain: points.map(({ row }) => row) },
      marks: [
        Plot.text(points, { y: 'row', x: 'zero', text: 'text', dx: 6, dy: -18, textAnchor: 'start', fontWeight: 600 }),
        Plot.ruleY(points, { y: 'row', x1: 'low', x2: 'high', stroke: 'colour', strokeWidth: 5, strokeOpacity: 0.5 }),
        Plot.dot(points, { y: 'row', x: 'value', fill: 'colour', r: 7 }),
      ],
    },
  });
}
