import * as Plot from '@observablehq/plot';
import type { Rate } from '@tadpole/contracts';
import type { Html } from '../html.js';
import { renderChart } from './render-chart.js';

/** Rates side by side, each a point with its interval on one axis. */
export function rateComparison(rows: readonly { readonly label: string; readonly rate: Rate }[]): Html {
  const points = rows.map(({ label, rate }, index) => ({
    label,
    value: rate.rate * 100,
    low: rate.interval[0] * 100,
    high: rate.interval[1] * 100,
    text: `${(rate.rate * 100).toFixed(1)} %`,
    colour: index === 0 ? 'var(--grey)' : 'var(--blue)',
  }));
  const end = Math.min(100, Math.ceil((Math.max(...points.map(({ high }) => high)) + 5) / 10) * 10);
  return renderChart({
    name: 'Held-out tasks solved before and after training',
    caption: 'Share of scored held-out rollouts that solve their task: a point with its 95 % Wilson interval.',
    plot: {
      height: 60 + 44 * points.length,
      marginLeft: 170,
      marginRight: 40,
      x: { label: 'held-out tasks solved (%) →', domain: [0, end], grid: true, ticks: 6 },
      y: { label: null, domain: points.map(({ label }) => label), tickSize: 0 },
      marks: [
        Plot.ruleY(points, { y: 'label', x1: 'low', x2: 'high', stroke: 'colour', strokeWidth: 4, strokeOpacity: 0.5 }),
        Plot.dot(points, { y: 'label', x: 'value', fill: 'colour', r: 6 }),
        Plot.text(points, { y: 'label', x: 'value', text: 'text', dy: -15, fontWeight: 600, fill: 'currentColor' }),
      ],
    },
  });
}
