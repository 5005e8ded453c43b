import * as Plot from '@observablehq/plot';
import { type Html, html } from '../html.js';
import { wholeNumber } from './learning-curve.js';
import { renderChart } from './render-chart.js';

/** One number of the updates, as it is drawn. */
interface Signal {
  readonly metric: string;
  readonly title: string;
  readonly unit: string;
  readonly meaning: string;
}

const signals: readonly Signal[] = [
  {
    metric: 'rewardMean',
    title: 'Reward',
    unit: 'mean reward',
    meaning: 'Mean over scored rollouts, after the audit gate and before shaping.',
  },
  {
    metric: 'maskFraction',
    title: 'Mask fraction',
    unit: 'share of trained tokens',
    meaning: 'Trained tokens that DPPO masks because their probability moved too far.',
  },
  {
    metric: 'entropy',
    title: 'Entropy',
    unit: 'nats per token',
    meaning: 'Mean entropy of the next-token distribution over trained tokens.',
  },
  { metric: 'gradientNorm', title: 'Gradient norm', unit: 'norm before clipping', meaning: 'Global norm of the gradient before clipping.' },
];

/** Small charts of what an update reports, one a signal; a signal that no update reported says so. */
export function trainingSignals(updates: readonly { readonly number: number; readonly metrics: Readonly<Record<string, number>> }[]): Html {
  return html`<div class="pair">${signals.map((signal) => signalChart({ signal, updates }))}</div>`;
}

function signalChart(options: { signal: Signal; updates: Parameters<typeof trainingSignals>[0] }): Html {
  const { metric, title, unit, meaning } = options.signal;
  const points = options.updates.flatMap(({ number, metrics }) => {
    const value = metrics[metric];
    return value === undefined ? [] : [{ number, value, title: `update ${number}: ${value.toPrecision(4)}` }];
  });
  if (points.length === 0) return html`<p class="empty">${title}: no update reported it.</p>`;
  const last = Math.max(2, ...points.map(({ number }) => number));
  return renderChart({
    name: `${title} of each update`,
    caption: meaning,
    plot: {
      width: 440,
      height: 220,
      marginRight: 12,
      x: { label: 'update →', domain: [0.5, last + 0.5], ticks: 6, tickFormat: wholeNumber },
      y: { label: `↑ ${title.toLowerCase()} (${unit})`, grid: true, ticks: 5, nice: true, zero: true },
      marks: [
        Plot.line(points, { x: 'number', y: 'value', stroke: 'var(--blue)', strokeWidth: 1.2, strokeOpacity: 0.5 }),
        Plot.dot(points, { x: 'number', y: 'value', fill: 'var(--blue)', r: 2.5, title: 'title' }),
      ],
    },
  });
}
