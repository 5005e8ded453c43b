import { z } from 'zod';
import { sandboxLimitsSchema } from './sandbox.js';

/** Test runners that the runtime has a structured reporter for. */
export const testRunnerSchema = z.enum(['node-test', 'tape', 'mocha']);
/** See {@link testRunnerSchema}. */
export type TestRunner = z.infer<typeof testRunnerSchema>;

/** A path inside a folder: relative, forward slashes, no `..`, nothing absolute. */
export const relativePathSchema = z
  .string()
  .min(1)
  .refine((path) => !path.startsWith('/') && !path.includes('\\') && !path.includes('\0') && !path.split('/').includes('..'), {
    message: 'expected a relative path with forward slashes and without ".."',
  });

/** Where a task comes from, enough to make it again. */
export const lineageSchema = z.strictObject({
  /** Name of the generator. */
  generator: z.string(),
  /** The generator's operator, for instance `flip-comparison`. */
  operator: z.string(),
  /** `name@version` of the snapshot's package, or a repository and commit. */
  source: z.string(),
  licence: z.string(),
  /** sha256 of the snapshot's content. */
  snapshotHash: z.string(),
  /** The changed file and its 1-based line in the snapshot. */
  file: relativePathSchema,
  line: z.int().positive(),
  /** Information that the statement gives, from least to most. */
  statementRung: z.enum(['symptom', 'file', 'region', 'line', 'quoted-line']),
  /** Id of the task that this one was refined from. */
  parent: z.string().optional(),
});
/** See {@link lineageSchema}. */
export type Lineage = z.infer<typeof lineageSchema>;

/** How a task is graded. Test ids are `file::name`. */
export const verifierSchema = z.strictObject({
  runner: testRunnerSchema,
  /** Hidden test files that hold the named tests, relative to the workspace; they run in one process. */
  testFiles: z.array(relativePathSchema).min(1).readonly(),
  failToPass: z.array(z.string()).min(1).readonly(),
  passToPass: z.array(z.string()).readonly(),
  /** Files and folders that grading restores from the task whatever the patch says. */
  protectedPaths: z.array(relativePathSchema).readonly(),
  timeoutMs: z.int().positive(),
});
/** See {@link verifierSchema}. */
export type Verifier = z.infer<typeof verifierSchema>;

/** What a task runs in. */
export const taskEnvironmentSchema = z.strictObject({
  /** npm packages (closure included) that the tests need, visible as `/node_modules`. */
  dependencies: z.array(z.strictObject({ name: z.string(), version: z.string() })).readonly(),
  workspacePath: z.string().default('/workspace'),
});
/** See {@link taskEnvironmentSchema}. */
export type TaskEnvironment = z.infer<typeof taskEnvironmentSchema>;

/** A task's typed view. The interchange form is its folder in Harbor layout. */
export const taskDataSchema = z.strictObject({
  /** Content address of everything that changes its meaning; the folder's name. */
  id: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,127}$/),
  instruction: z.string().min(1),
  environment: taskEnvironmentSchema,
  limits: sandboxLimitsSchema,
  verifier: verifierSchema,
  lineage: lineageSchema,
});
/** See {@link taskDataSchema}. */
export type TaskData = z.infer<typeof taskDataSchema>;

/**
 * A task: its data and its folder. In the folder, `environment/workspace/` is the tree that the agent
 * gets (no hidden test, no history), `tests/` holds the hidden tests and `solution/gold.patch` the gold patch.
 */
export interface Task {
  readonly data: TaskData;
  /** Absolute path of the Harbor folder on this machine. */
  readonly directory: string;
}

/** One gate that a candidate went through, with evidence that can be re-run. */
export const gateSchema = z.strictObject({
  name: z.string(),
  passed: z.boolean(),
  /** What was executed or compared, and what came out. */
  evidence: z.record(z.string(), z.unknown()),
});
/** See {@link gateSchema}. */
export type Gate = z.infer<typeof gateSchema>;

/** Why a task was admitted: every gate, and the solve rate that was measured against a checkpoint. */
export const certificateSchema = z.strictObject({
  taskId: z.string(),
  gates: z.array(gateSchema).readonly(),
  calibration: z
    .strictObject({
      weightsVersion: z.string(),
      successes: z.int().min(0),
      trials: z.int().min(0),
      unscored: z.int().min(0),
      /** Posterior mean and 95% interval of the solve rate under the calibration's prior. */
      posteriorMean: z.number(),
      posteriorInterval: z.tuple([z.number(), z.number()]),
      /** Posterior probability that the solve rate lies in the band. */
      probabilityInBand: z.number(),
      band: z.tuple([z.number(), z.number()]),
      rule: z.string(),
    })
    .optional(),
  hiddenTestsHash: z.string(),
});
/** See {@link certificateSchema}. */
export type Certificate = z.infer<typeof certificateSchema>;
