import { mutationOperators } from '@tadpole/taskpilot';
import type { CandidateRecord } from './validate-sample.js';

/** What was found in one repository. */
export interface RepositoryYield {
  /** `name@version` */
  readonly name: string;
  /** Stable tests. */
  readonly tests: number;
  /** CPU seconds of one run of the untouched suite. */
  readonly suiteSeconds: number;
  /** CPU seconds of the runs before the first candidate: baseline, and which tests reach which lines. */
  readonly openingSeconds: number;
  readonly records: readonly CandidateRecord[];
}

/** A row a repository. Yield is of the candidates for which something ran; those refused before are a column. */
export function yieldsByRepository(rows: readonly RepositoryYield[]): string {
  const head = ['repository', 'tests', 'suite, CPU s', 'refused before any run', 'executed', 'valid', 'yield'];
  return table([
    [...head, 'CPU s a valid task', 'runs a valid task', 'opening, CPU s', 'refused, by reason'],
    ...rows.map((row) => {
      const { unexecuted, executed, valid, cpuSecondsPerValid, runsPerValid } = count(row);
      return [
        ...[row.name, row.tests, row.suiteSeconds.toFixed(2), byOutcome(unexecuted), executed.length, valid, share(valid, executed.length)],
        ...[cpuSecondsPerValid.toFixed(2), runsPerValid.toFixed(1), row.openingSeconds.toFixed(0)],
        byOutcome(executed.filter(({ outcome }) => outcome !== 'valid')),
      ];
    }),
  ]);
}

/** A row an operator, a column a repository: valid of executed. */
export function yieldsByOperator(rows: readonly RepositoryYield[]): string {
  const cell = (records: readonly CandidateRecord[]) => {
    const executed = records.filter(({ executions }) => executions > 0);
    return executed.length === 0 ? '–' : `${executed.filter(({ outcome }) => outcome === 'valid').length}/${executed.length}`;
  };
  const of = (operator: string) => rows.map(({ records }) => records.filter((record) => record.operator === operator));
  return table([
    ['operator', ...rows.map(({ name }) => name), 'all'],
    ...mutationOperators.map(({ name }) => [`\`${name}\``, ...of(name).map(cell), cell(of(name).flat())]),
    ['all', ...rows.map(({ records }) => cell(records)), cell(rows.flatMap(({ records }) => records))],
  ]);
}

/** Named numbers, by repository. */
export function summarise(rows: readonly RepositoryYield[]): Record<string, unknown> {
  const rounded = (value: number) => Math.round(value * 1000) / 1000;
  return Object.fromEntries(
    rows.map((row) => {
      const { unexecuted, executed, valid, cpuSecondsPerValid, runsPerValid } = count(row);
      const numbers = { executed: executed.length, valid, yield: rounded(valid / executed.length), refusedBeforeAnyRun: unexecuted.length };
      const costs = { suiteSeconds: rounded(row.suiteSeconds), cpuSecondsPerValid: rounded(cpuSecondsPerValid) };
      return [row.name, { ...numbers, ...costs, runsPerValid: rounded(runsPerValid), openingSeconds: rounded(row.openingSeconds) }];
    }),
  );
}

function count({ records }: RepositoryYield) {
  const sum = (read: (record: CandidateRecord) => number) => records.reduce((total, record) => total + read(record), 0);
  const executed = records.filter(({ executions }) => executions > 0);
  const valid = executed.filter(({ outcome }) => outcome === 'valid').length;
  return {
    ...{ executed, valid, unexecuted: records.filter(({ executions }) => executions === 0) },
    cpuSecondsPerValid: sum(({ cpuSeconds }) => cpuSeconds) / valid,
    runsPerValid: sum(({ executions }) => executions) / valid,
  };
}

function byOutcome(records: readonly CandidateRecord[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of records) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const sorted = [...counts].sort((one, other) => other[1] - one[1]);
  return sorted.map(([outcome, number]) => `${number} ${outcome}`).join(', ') || '0';
}

function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(0)} %`;
}

function table(rows: readonly (readonly (string | number)[])[]): string {
  const [head = [], ...body] = rows;
  return [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
