import * as Plot from '@observablehq/plot';
import type { Html } from '../html.js';
import type { EventOf } from '../run-records.js';
import { legend, renderChart } from './render-chart.js';

type Calibration = EventOf<'candidate-calibrate'>;

const colours: Readonly<Record<Calibration['verdict'], string>> = {
  'in-band': '--blue',
  'too-easy': '--orange',
  'too-hard': '--purple',
  undecided: '--grey',
};

/** Posterior solve rate of every candidate of one iteration, sorted, with the band shaded. */
export function calibrationCandidates(options: {
  iteration: number;
  calibrated: readonly Calibration[];
  band: readonly [number, number];
}): Html {
  const [bandLow, bandHigh] = options.band;
  const points = [...options.calibrated]
    .sort((a, b) => a.posteriorMean - b.posteriorMean || a.trials - b.trials)
    .map(({ taskId, verdict, successes, trials, posteriorMean, posteriorInterval: [low, high] }, index) => ({
      rank: index + 1,
      mean: posteriorMean * 100,
      low: low * 100,
      high: high * 100,
      colour: `var(${colours[verdict]})`,
      title: `${taskId}: ${successes} of ${trials} solved, ${verdict}`,
    }));
  const verdicts = (Object.keys(colours) as Calibration['verdict'][]).filter((verdict) =>
    options.calibrated.some((entry) => entry.verdict === verdict),
  );
  return renderChart({
    name: `Posterior solve rate of the candidates of iteration ${options.iteration + 1}`,
    legend: legend(
      verdicts.map((verdict) => ({
        colour: colours[verdict],
        label: `${verdict} (${options.calibrated.filter((entry) => entry.verdict === verdict).length})`,
      })),
    ),
    caption: `Iteration ${options.iteration + 1}: one line a candidate, sorted. A point is the posterior mean under the calibration's prior, its bar the 95 % posterior interval; shaded is the band from ${bandLow * 100} % to ${bandHigh * 100} %.`,
    plot: {
      height: 280,
      x: {
        label: 'candidates, hardest first →',
        domain: [0, points.length + 1],
        ticks: 8,
        tickFormat: (value: number) => (Number.isInteger(value) && value > 0 ? String(value) : ''),
      },
      y: { label: '↑ solve rate (%)', domain: [0, 100], grid: true },
      marks: [
        Plot.rect([{ low: bandLow * 100, high: bandHigh * 100 }], { y1: 'low', y2: 'high', fill: 'var(--blue)', fillOpacity: 0.1 }),
        Plot.ruleX(points, {
          x: 'rank',
          y1: 'low',
          y2: 'high',
          stroke: 'colour',
          strokeOpacity: 0.55,
          strokeWidth: points.length > 120 ? 1.5 : 2.5,
        }),
        Plot.dot(points, { x: 'rank', y: 'mean', fill: 'colour', r: points.length > 120 ? 2 : 3, title: 'title' }),
      ],
    },
  });
}
