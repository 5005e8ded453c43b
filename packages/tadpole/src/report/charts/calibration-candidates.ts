import * as Plot from '@observablehq/plot';
import type { MeasuredRate } from '@tadpole/taskpilot';
import type { Html } from '../html.js';
import { bandText } from '../number-text.js';
import { legend, renderChart } from './render-chart.js';

type Verdict = MeasuredRate['verdict'];

const looks: Readonly<Record<Verdict, { colour: string; symbol: Plot.SymbolType; mark: string }>> = {
  'in-band': { colour: '--blue', symbol: 'circle', mark: '●' },
  'too-easy': { colour: '--orange', symbol: 'triangle', mark: '▲' },
  'too-hard': { colour: '--purple', symbol: 'square', mark: '■' },
  undecided: { colour: '--grey', symbol: 'diamond', mark: '◆' },
};

/** Posterior solve rate of every measured task of one iteration, sorted, with the band shaded. */
export function calibrationCandidates(options: {
  iteration: number;
  /** The hardest first. */
  rates: readonly MeasuredRate[];
  band: readonly [number, number];
}): Html {
  const { iteration, rates, band } = options;
  const isCrowded = rates.length > 120;
  const points = rates.map(({ taskId, verdict, successes, trials, mean, interval: [low, high] }, index) => ({
    rank: index + 1,
    mean: mean * 100,
    low: low * 100,
    high: high * 100,
    colour: `var(${looks[verdict].colour})`,
    symbol: looks[verdict].symbol,
    title: `${taskId}: ${successes} of ${trials} solved, ${verdict}`,
  }));
  const verdicts = (Object.keys(looks) as Verdict[]).map((verdict) => ({
    verdict,
    count: rates.filter((rate) => rate.verdict === verdict).length,
  }));
  return renderChart({
    name: `Posterior solve rate of the candidates of iteration ${iteration + 1}`,
    legend: legend(
      verdicts
        .filter(({ count }) => count > 0)
        .map(({ verdict, count }) => ({ colour: looks[verdict].colour, mark: looks[verdict].mark, label: `${verdict} (${count})` })),
    ),
    caption: `One line a task with a scored rollout, sorted. A point is the posterior mean under the calibration's prior, its bar the 95 % posterior interval; shaded is the band ${bandText(band)}.`,
    plot: {
      height: 280,
      x: {
        label: 'tasks, hardest first →',
        domain: [0, points.length + 1],
        ticks: 8,
        tickFormat: (value: number) => (Number.isInteger(value) && value > 0 ? String(value) : ''),
      },
      y: { label: '↑ solve rate (%)', domain: [0, 100], grid: true },
      marks: [
        Plot.rect([{ low: band[0] * 100, high: band[1] * 100 }], { y1: 'low', y2: 'high', fill: 'var(--blue)', fillOpacity: 0.1 }),
        Plot.ruleX(points, { x: 'rank', y1: 'low', y2: 'high', stroke: 'colour', strokeOpacity: 0.55, strokeWidth: isCrowded ? 1.5 : 2.5 }),
        Plot.dot(points, { x: 'rank', y: 'mean', fill: 'colour', symbol: 'symbol', r: isCrowded ? 2.5 : 3.5, title: 'title' }),
      ],
    },
  });
}
