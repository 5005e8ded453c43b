import type { CalibrationCandidate, Measurement, TaskFeatures } from './measurement.js';

const sizes = [
  'edits',
  'files',
  'changedLines',
  'failToPass',
  'passToPass',
  'hintRung',
  'statementCharacters',
  'repositoryLines',
  'functionLines',
] as const satisfies readonly (keyof TaskFeatures)[];

/** A task as a sparse row of a linear model. */
export interface FeatureRow {
  /** Ascending. */
  readonly columns: readonly number[];
  readonly values: readonly number[];
}

/** Turns tasks into rows of one design: column names [D], and the row of a task at a checkpoint. */
export interface FeatureColumns {
  readonly names: readonly string[];
  rowOf(task: Pick<CalibrationCandidate, 'strategy' | 'repository' | 'features'> & { readonly checkpoint: number }): FeatureRow;
}

/**
 * The design of the difficulty model: an intercept, one column each for every checkpoint, strategy, repository,
 * operator and failure kind seen in `measurements`, and the sizes as logarithms, scaled to mean 0 and variance 1.
 * A kind that was not seen adds nothing to its row.
 */
export function featureColumns(options: {
  measurements: readonly Measurement[];
  /** Checkpoints that have a column without a measurement. @default 0 */
  checkpoints?: number;
}): FeatureColumns {
  const { measurements, checkpoints = 0 } = options;
  const announced = Array.from({ length: checkpoints }, (_, checkpoint) => checkpointColumn(checkpoint));
  const names = ['intercept', ...sizes, ...new Set([...announced, ...measurements.flatMap(kindsOf)])];
  const columnOf = new Map(names.map((name, index) => [name, index]));
  const known = measurements.flatMap(({ features }) => (features === undefined ? [] : [features]));
  const scales = sizes.map((size) => scaleOf(known.map((features) => Math.log1p(features[size]))));
  return {
    names,
    rowOf(task) {
      const kinds = kindsOf(task)
        .flatMap((name) => columnOf.get(name) ?? [])
        .sort((a, b) => a - b);
      const { features } = task;
      const scaled =
        features === undefined
          ? []
          : scales.map(({ mean, spread }, index) => (Math.log1p(features[sizes[index] ?? 'edits']) - mean) / spread);
      return {
        columns: [0, ...scaled.map((_, index) => index + 1), ...kinds],
        values: [1, ...scaled, ...kinds.map(() => 1)],
      };
    },
  };
}

/** Name of the column that takes up what is not known of a checkpoint's ability. */
export function checkpointColumn(checkpoint: number): string {
  return `checkpoint ${checkpoint}`;
}

function kindsOf(task: Pick<Measurement, 'strategy' | 'repository' | 'features' | 'checkpoint'>): string[] {
  const { features } = task;
  return [
    checkpointColumn(task.checkpoint),
    `strategy ${task.strategy}`,
    `repository ${task.repository}`,
    ...(features === undefined ? [] : [`operator ${features.operator}`, `failure ${features.failureKind}`]),
  ];
}

function scaleOf(values: readonly number[]): { mean: number; spread: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length);
  return { mean, spread: variance > 1e-12 ? Math.sqrt(variance) : 1 };
}
