import * as Plot from '@observablehq/plot';
import type { Html } from '../html.js';
import { legend, renderChart } from './render-chart.js';

/** What became of the candidates of one operator; the parts add up to `proposed`. */
export interface OperatorFunnel {
  readonly operator: string;
  readonly proposed: number;
  readonly refused: number;
  readonly heldOut: number;
  /** Valid for training, but not measured, outside the band, or more than were needed. */
  readonly notAdmitted: number;
  readonly admitted: number;
}

const fates = [
  { key: 'admitted', label: 'admitted for training', colour: '--blue' },
  { key: 'heldOut', label: 'held out for evaluation', colour: '--green' },
  { key: 'notAdmitted', label: 'valid, not admitted', colour: '--orange' },
  { key: 'refused', label: 'refused', colour: '--grey' },
] as const;

/** Candidates by operator, stacked by what became of them. */
export function synthesisFunnel(operators: readonly OperatorFunnel[]): Html {
  const parts = operators.flatMap((row) =>
    fates.map(({ key, label, colour }) => ({
      operator: row.operator,
      count: row[key],
      colour: `var(${colour})`,
      title: `${row.operator}: ${row[key]} ${label}`,
    })),
  );
  return renderChart({
    name: 'Candidates by operator and what became of them',
    legend: legend(fates),
    caption: 'Every proposed candidate once. Refused ones did not survive validation by execution; see the reasons below.',
    plot: {
      height: 80 + 26 * operators.length,
      marginLeft: 190,
      x: {
        label: 'candidates →',
        grid: true,
        ticks: 6,
        tickFormat: (value: number) => (Number.isInteger(value) ? value.toLocaleString('en') : ''),
      },
      y: { label: null, domain: operators.map(({ operator }) => operator), tickSize: 0 },
      marks: [Plot.barX(parts, { y: 'operator', x: 'count', fill: 'colour', title: 'title', insetTop: 2, insetBottom: 2 })],
    },
  });
}
