import * as Plot from '@observablehq/plot';
import type { HistogramBin } from '@tadpole/taskpilot';
import type { Html } from '../html.js';
import { bandText } from '../number-text.js';
import { wholeNumber } from './learning-curve.js';
import { legend, renderChart } from './render-chart.js';

/** Solve rates of the fresh tasks beside those of the admitted ones: before and after refinement and choice. */
export function solveRateHistogram(options: { iteration: number; bins: readonly HistogramBin[]; band: readonly [number, number] }): Html {
  const { iteration, bins, band } = options;
  const bars = bins.map(({ low, high, fresh, admitted }) => ({
    left: low * 100,
    middle: 50 * (low + high),
    right: high * 100,
    fresh,
    admitted,
    title: `${(low * 100).toFixed(0)} to ${(high * 100).toFixed(0)} %: ${fresh} fresh, ${admitted} admitted`,
  }));
  const sum = (key: 'fresh' | 'admitted') => bins.reduce((total, bin) => total + bin[key], 0);
  const inset = { insetLeft: 1.5, insetRight: 1.5 };
  return renderChart({
    name: `Solve rates of iteration ${iteration + 1} before and after refinement`,
    legend: legend([
      { colour: '--grey', mark: '□', label: `fresh tasks that were measured (${sum('fresh')})` },
      { colour: '--blue', mark: '■', label: `admitted tasks (${sum('admitted')})` },
    ]),
    caption: `Tasks by the posterior mean of their solve rate, fresh ones hollow on the left, admitted ones filled on the right of each tenth. Between the dashed lines is the band ${bandText(band)}. Means shrink towards the prior, and admitted tasks were chosen by theirs: their true rates spread wider.`,
    plot: {
      height: 260,
      x: { label: 'posterior mean of the solve rate (%) →', domain: [0, 100], ticks: 10 },
      y: { label: '↑ tasks', grid: true, ticks: 5, tickFormat: wholeNumber },
      marks: [
        Plot.rectY(bars, {
          x1: 'left',
          x2: 'middle',
          y: 'fresh',
          fill: 'none',
          stroke: 'var(--grey)',
          strokeWidth: 1.5,
          title: 'title',
          ...inset,
        }),
        Plot.rectY(bars, { x1: 'middle', x2: 'right', y: 'admitted', fill: 'var(--blue)', title: 'title', ...inset }),
        Plot.ruleX([band[0] * 100, band[1] * 100], { stroke: 'var(--ink)', strokeDasharray: '4 4', strokeOpacity: 0.6 }),
        Plot.ruleY([0]),
      ],
    },
  });
}
