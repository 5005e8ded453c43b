import { parseArgs } from 'node:util';
import { type Band, decisionTable, evaluateRule, fixedRule } from '@tadpole/taskpilot';
import { type RunQuality, runWay } from './calibration/run-way.js';
import { type WayName, ways } from './calibration/ways.js';

const band: Band = [0.3, 0.7];

/**
 * Calibrates five iterations of tasks for a synthetic policy that gets abler, in several ways, and prints what each
 * costs against eight fixed rollouts a task (taskpilot.md section 5, "End to end Monte Carlo"). No model is run.
 */
export async function calibrationStudy(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seeds: { type: 'string', default: '20' },
      iterations: { type: 'string', default: '5' },
      count: { type: 'string', default: '300' },
    },
  });
  const [seeds, iterations, count] = [Number(values.seeds), Number(values.iterations), Number(values.count)];
  if (![seeds, iterations, count].every((value) => Number.isInteger(value) && value > 0)) {
    throw new Error('expected --seeds, --iterations and --count to be whole numbers above 0');
  }
  const names = Object.keys(ways) as WayName[];
  const runs = Object.fromEntries(names.map((name) => [name, [] as RunQuality[]])) as Record<WayName, RunQuality[]>;
  for (let seed = 0; seed < seeds; seed++) {
    for (const name of names) runs[name].push(await runWay({ way: ways[name], seed, iterations, count, band }));
    process.stderr.write(`seed ${seed + 1} of ${seeds}: ${names.map((name) => progress(name, runs[name].at(-1))).join(', ')}\n`);
  }
  const rows = names.map((name) => row(name, runs));
  process.stdout.write(`${exactTable()}\n\n${[head, ...rows].join('\n')}\n${JSON.stringify(summary(runs))}\n`);
}

const head = [
  '| five iterations | rollouts per accepted | saving | precision | said | recall | 4p(1-p) | candidates per accepted |',
  '| --- | --- | --- | --- | --- | --- | --- | --- |',
].join('\n');

function progress(name: WayName, run: RunQuality | undefined): string {
  return `${name} ${run?.rolloutsPerAccepted.toFixed(1)} (${run?.precision.toFixed(3)}, ${run?.signal.toFixed(3)})`;
}

function row(name: WayName, runs: Readonly<Record<WayName, readonly RunQuality[]>>): string {
  const mean = (key: keyof RunQuality) => average(runs[name].map((run) => run[key]));
  const [saving, low, high] = savingOf(name, runs);
  const cells = [
    ways[name].label,
    mean('rolloutsPerAccepted').toFixed(1),
    name === baselineOf(name) ? '–' : `${percent(saving)} % [${percent(low)}, ${percent(high)}]`,
    mean('precision').toFixed(3),
    mean('predicted').toFixed(3),
    mean('recall').toFixed(3),
    mean('signal').toFixed(3),
    mean('candidatesPerAccepted').toFixed(1),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** The setting of the plain table on the uniform-like prior, exactly: no worse than eight rollouts in precision and recall. */
function exactTable(): string {
  const exact = [
    ['fixed n=8, k 3..5', evaluateRule({ rule: fixedRule({ trials: 8, accept: [3, 5] }), band })],
    ['table mu=.75 lambda=.01, looks at even n', evaluateRule({ rule: decisionTable({ band, wave: 2 }), band, wave: 2 })],
    ['table mu=.75 lambda=.01', evaluateRule({ rule: decisionTable({ band }), band })],
  ] as const;
  const lines = exact.map(([label, { expectedTrials, acceptRate, precision, recall }]) => {
    const cells = [expectedTrials.toFixed(2), acceptRate.toFixed(3), precision.toFixed(3), recall.toFixed(3)];
    return `| ${[label, ...cells, (expectedTrials / acceptRate).toFixed(1)].join(' | ')} |`;
  });
  return [
    '| exactly, under Beta(.4, .4) | E[n] | accept | precision | recall | rollouts per accepted |',
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}

function baselineOf(name: WayName): WayName {
  return name === 'bankQuotas' || name === 'fixedQuotas' ? 'fixedQuotas' : 'fixed';
}

/** Mean saving over seeds with its 95 % interval (Student's t, at most 2.1 from 18 degrees of freedom on). */
function savingOf(name: WayName, runs: Readonly<Record<WayName, readonly RunQuality[]>>): [number, number, number] {
  const baseline = runs[baselineOf(name)];
  const savings = runs[name].map((run, seed) => 1 - run.rolloutsPerAccepted / (baseline[seed]?.rolloutsPerAccepted ?? Number.NaN));
  const mean = average(savings);
  const variance = savings.reduce((sum, saving) => sum + (saving - mean) ** 2, 0) / Math.max(1, savings.length - 1);
  const margin = 2.1 * Math.sqrt(variance / savings.length);
  return [mean, mean - margin, mean + margin];
}

/** Of the two rows with the bank, the worse. */
function summary(runs: Readonly<Record<WayName, readonly RunQuality[]>>): Record<string, number> {
  const worse = (key: 'precision' | 'signal') =>
    Math.min(...(['bank', 'bankQuotas'] as const).map((name) => average(runs[name].map((run) => run[key]))));
  return {
    savingTable: savingOf('table', runs)[0],
    savingPredictor: savingOf('predictor', runs)[0],
    savingBank: Math.min(savingOf('bank', runs)[0], savingOf('bankQuotas', runs)[0]),
    precision: worse('precision'),
    signal: worse('signal'),
  };
}

const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const percent = (share: number) => (100 * share).toFixed(1);
