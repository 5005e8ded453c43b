import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type RunResult, runResult } from 'tadpole';

interface Row {
  readonly label: string;
  readonly result: RunResult;
}

/**
 * Runs the recipe with several seeds and once more with a learning rate of zero, everything else the same, and
 * prints held-out pass@1 before and after of each. A run that is there already is read, one that was cut off is
 * resumed.
 */
export async function recipeStudy(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seeds: { type: 'string', default: '0,1,2,3' },
      budget: { type: 'string', default: 'full' },
      out: { type: 'string', default: 'runs/study' },
    },
  });
  const out = resolve(values.out);
  mkdirSync(out, { recursive: true });
  const rows: Row[] = [];
  for (const seed of values.seeds.split(',').map(Number)) {
    rows.push(
      await runOnce({
        label: `seed ${seed}`,
        directory: join(out, `seed-${seed}`),
        flags: ['--seed', String(seed), '--budget', values.budget],
      }),
    );
  }
  const control = join(out, 'control.json');
  writeFileSync(control, JSON.stringify({ training: { learningRate: 0 } }));
  const flags = ['--seed', '0', '--budget', values.budget, '--config', control];
  rows.push(await runOnce({ label: 'control: seed 0, learning rate 0', directory: join(out, 'control'), flags }));
  process.stdout.write(`${table(rows)}\n${JSON.stringify(summary(rows))}\n`);
}

async function runOnce(options: { label: string; directory: string; flags: readonly string[] }): Promise<Row> {
  const { label, directory, flags } = options;
  const started = existsSync(join(directory, 'run.json'));
  if (!started || runResult({ directory }).finished !== 'done') {
    process.stderr.write(`\n${label}\n`);
    await recipe(started ? ['--resume', directory] : [...flags, '--out', directory]);
  }
  return { label, result: runResult({ directory }) };
}

async function recipe(flags: readonly string[]): Promise<void> {
  const child = spawn('npm', ['run', '--silent', 'recipe', '--', ...flags], { stdio: ['ignore', 'ignore', 'inherit'] });
  const code = await new Promise<number | null>((settle, fail) => child.on('error', fail).on('close', settle));
  if (code !== 0) throw new Error(`the recipe with ${flags.join(' ')} ended with ${code}; run the study again to resume it`);
}

function table(rows: readonly Row[]): string {
  const head = '| run | held-out tasks | before | after | difference | McNemar p | minutes |\n| --- | --- | --- | --- | --- | --- | --- |';
  return [head, ...rows.map(rowText)].join('\n');
}

function rowText({ label, result }: Row): string {
  const rate = (value: RunResult['before']) =>
    value ? `${percent(value.rate)} [${percent(value.interval[0])}, ${percent(value.interval[1])}]` : '–';
  const { difference, differenceInterval, pValue } = result;
  const change =
    difference === null || !differenceInterval
      ? '–'
      : `${signed(difference)} [${signed(differenceInterval[0])}, ${signed(differenceInterval[1])}]`;
  const cells = [
    label,
    result.heldOutTasks,
    rate(result.before),
    rate(result.after),
    change,
    pValue?.toPrecision(2) ?? '–',
    (result.workedMs / 60_000).toFixed(1),
  ];
  return `| ${cells.join(' | ')} |`;
}

const percent = (value: number) => (100 * value).toFixed(1);
const signed = (value: number) => `${value < 0 ? '−' : '+'}${percent(Math.abs(value))}`;

function summary(rows: readonly Row[]): Record<string, number | null> {
  return Object.fromEntries(
    rows.flatMap(({ label, result }) => {
      const name = label.startsWith('control') ? 'control' : label.replace(' ', '');
      return [
        [`${name}Before`, result.before?.rate ?? null],
        [`${name}After`, result.after?.rate ?? null],
        [`${name}P`, result.pValue],
      ];
    }),
  );
}
