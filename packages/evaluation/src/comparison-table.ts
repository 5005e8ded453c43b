import type { Rate } from '@tadpole/contracts';
import { formatRate } from './format-rate.js';

/**
 * A Markdown table of runs, one a row: label, solve rate with its interval, and how many rollouts had no
 * score. Columns are padded, so that it also reads well as plain text.
 */
export function comparisonTable(options: {
  rows: readonly {
    readonly label: string;
    /** `null` when no rollout was scored. */
    readonly rate: Rate | null;
    readonly unscored: number;
  }[];
}): string {
  const cells = options.rows.map(({ label, rate, unscored }) => [
    label.replaceAll('|', '\\|').replaceAll('\n', ' '),
    rate ? formatRate(rate) : 'no scored rollout',
    String(unscored),
  ]);
  const header = ['run', 'solve rate [95 % interval]', 'unscored'];
  const widths = header.map((title, column) => Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)].join('\n');
}
