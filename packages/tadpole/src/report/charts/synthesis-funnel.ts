import * as Plot from '@observablehq/plot';
import type { FunnelRow } from '@tadpole/taskpilot';
import type { Html } from '../html.js';
import { wholeNumber } from './learning-curve.js';
import { legend, renderChart } from './render-chart.js';

/** What may become of a candidate, in the order of the bars' parts; they add up to `proposed`. */
const fates: readonly { label: string; mark: string; colour: string; count: (row: FunnelRow) => number }[] = [
  { mark: 'A', label: 'admitted for training', colour: '--blue', count: ({ admitted }) => admitted },
  { mark: 'B', label: 'in the band, not admitted', colour: '--purple', count: ({ inBand, admitted }) => inBand - admitted },
  { mark: 'O', label: 'measured, out of the band', colour: '--orange', count: ({ measured, inBand }) => measured - inBand },
  { mark: 'N', label: 'valid, not measured', colour: '--red', count: ({ valid, heldOut, measured }) => valid - heldOut - measured },
  { mark: 'H', label: 'held out for evaluation', colour: '--green', count: ({ heldOut }) => heldOut },
  { mark: 'R', label: 'refused', colour: '--grey', count: ({ refused }) => refused },
];

/** Candidates of one iteration by operator, stacked by what became of them. */
export function synthesisFunnel(options: { iteration: number; rows: readonly FunnelRow[] }): Html {
  const { iteration, rows } = options;
  const most = Math.max(1, ...rows.map(({ proposed }) => proposed));
  const parts = rows.flatMap((row) =>
    fates.map(({ mark, label, colour, count }) => ({
      name: row.name,
      count: count(row),
      colour: `var(${colour})`,
      // A letter needs about a fiftieth of the width.
      mark: count(row) * 50 >= most ? mark : '',
      title: `${row.name}: ${count(row)} ${label}`,
    })),
  );
  return renderChart({
    name: `Candidates of iteration ${iteration + 1} by operator and what became of them`,
    legend: legend(fates.map(({ mark, label, colour }) => ({ mark, label, colour }))),
    caption:
      'Every candidate that the iteration proposed, once; parts stand in the order of the key. Refused ones did not survive validation by execution, or repeat another.',
    plot: {
      height: 80 + 26 * rows.length,
      marginLeft: 190,
      x: { label: 'candidates →', grid: true, ticks: 6, tickFormat: wholeNumber },
      y: { label: null, domain: rows.map(({ name }) => name), tickSize: 0 },
      marks: [
        Plot.barX(
          parts,
          Plot.stackX({ y: 'name', x: 'count', fill: 'colour', title: 'title', insetTop: 2, insetBottom: 2, insetRight: 0.5 }),
        ),
        Plot.text(parts, Plot.stackX({ y: 'name', x: 'count', text: 'mark', fill: 'var(--paper)', fontWeight: 600 })),
      ],
    },
  });
}
