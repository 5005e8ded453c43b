import { z } from 'zod';
import { sandboxLimitsSchema } from './sandbox.js';

/** Test runners that the runtime has a structured reporter for; `pytest` comes from the machine, the others but `node-test` from the task's packages. */
export const testRunnerSchema = z.enum(['node-test', 'tape', 'mocha', 'vitest', 'jest', 'pytest']);
/** See {@link testRunnerSchema}. */
export type TestRunner = z.infer<typeof testRunnerSchema>;

/** A path inside a folder: relative, forward slashes, no `..`, nothing absolute. */
export const relativePathSchema = z
  .string()
  .min(1)
  .refine((path) => !path.startsWith('/') && !path.includes('\\') && !path.includes('\0') && !path.split('/').includes('..'), {
    message: 'expected a relative path with forward slashes and without ".."',
  });

/** What kind of work a task asks for (frognano.md section 1.5). */
export const taskTypeSchema = z.enum(['bug-fix', 'feature', 'refactor', 'migration', 'performance']);
/** See {@link taskTypeSchema}. */
export type TaskType = z.infer<typeof taskTypeSchema>;

/**
 * How much a statement gives, from least to most: what fails; the behaviour that is owed; the file; the function; a failing
 * input with its expected value; lines of the file; the line; the line with its text. `written`: a model's own words.
 */
export const statementRungSchema = z.enum([
  'symptom',
  'contract',
  'file',
  'function',
  'example',
  'region',
  'line',
  'quoted-line',
  'written',
]);
/** See {@link statementRungSchema}. */
export type StatementRung = z.infer<typeof statementRungSchema>;

/** Where a generated task comes from, enough to make it again. */
export const generatedLineageSchema = z.strictObject({
  kind: z.literal('generated'),
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
  statementRung: statementRungSchema,
  /** @default bug-fix */
  taskType: taskTypeSchema.optional(),
  /** Ids of the candidates that this one combines. */
  parts: z.array(z.string()).readonly().optional(),
  /** Id of the task that this one was refined from. */
  parent: z.string().optional(),
});
/** See {@link generatedLineageSchema}. */
export type GeneratedLineage = z.infer<typeof generatedLineageSchema>;

/** Where an imported task comes from, as far as its source says it; nothing is filled in. */
export const importedLineageSchema = z.strictObject({
  kind: z.literal('imported'),
  format: z.enum(['harbor', 'swe-bench', 'swe-smith']),
  /** The task's name in its source, unchanged. */
  instanceId: z.string().min(1),
  /** Repository and commit as `owner/name@commit`, or what the source calls its own origin. */
  origin: z.string().optional(),
  /** What the source says and this task cannot express, one line each. */
  notCarried: z.array(z.string()).readonly(),
});
/** See {@link importedLineageSchema}. */
export type ImportedLineage = z.infer<typeof importedLineageSchema>;

/** A task that a person wrote. */
export const writtenLineageSchema = z.strictObject({
  kind: z.literal('written'),
  author: z.string().min(1),
  /** Licence of what the task holds. */
  licence: z.string().min(1),
});
/** See {@link writtenLineageSchema}. */
export type WrittenLineage = z.infer<typeof writtenLineageSchema>;

/** Where a task comes from: {@link GeneratedLineage}, {@link ImportedLineage} or {@link WrittenLineage}, discriminated by `kind`. */
export const lineageSchema = z.discriminatedUnion('kind', [generatedLineageSchema, importedLineageSchema, writtenLineageSchema]);
/** See {@link lineageSchema}. */
export type Lineage = z.infer<typeof lineageSchema>;

/** Grading by named tests of a known runner. Test ids are `file::name`, exactly as the runner's reporter gives them. */
export const testsVerifierSchema = z
  .strictObject({
    kind: z.literal('tests'),
    runner: testRunnerSchema,
    /** Test files that hold the named tests, relative to the workspace; they run in one process and are protected. */
    testFiles: z.array(relativePathSchema).min(1).readonly(),
    failToPass: z.array(z.string()).min(1).readonly(),
    passToPass: z.array(z.string()).readonly(),
    /** Files and folders that grading restores from the task whatever the patch says. */
    protectedPaths: z.array(relativePathSchema).readonly(),
    /**
     * The runner's own configuration, for tests that do not run without it; protected like `protectedPaths`, where what
     * it loads belongs too. @default none: every configuration file of the workspace is ignored
     */
    configFile: relativePathSchema.optional(),
    timeoutMs: z.int().positive(),
  })
  .refine(({ runner, configFile }) => configFile === undefined || ['vitest', 'jest', 'pytest'].includes(runner), {
    message: 'expected no configFile: only vitest, jest and pytest are given one',
    path: ['configFile'],
  });
/** See {@link testsVerifierSchema}. */
export type TestsVerifier = z.infer<typeof testsVerifierSchema>;

/** Grading by the task's own `tests/test.sh`, which leaves a reward in `/logs/verifier` (Harbor's convention). */
export const scriptVerifierSchema = z.strictObject({
  kind: z.literal('script'),
  timeoutMs: z.int().positive(),
  /** Variables that the script sees. */
  env: z.record(z.string(), z.string()).default({}),
  /** The file that counts where `reward.json` and `reward.txt` disagree. @default 'reward.json' */
  preferredReward: z.enum(['reward.json', 'reward.txt']).default('reward.json'),
});
/** See {@link scriptVerifierSchema}. */
export type ScriptVerifier = z.infer<typeof scriptVerifierSchema>;

/** How a task is graded: {@link TestsVerifier} or {@link ScriptVerifier}, discriminated by `kind`. */
export const verifierSchema = z.discriminatedUnion('kind', [testsVerifierSchema, scriptVerifierSchema]);
/** See {@link verifierSchema}. */
export type Verifier = z.infer<typeof verifierSchema>;

/** What a task runs in. */
export const taskEnvironmentSchema = z.strictObject({
  /** npm packages (closure included) that the tests need, visible as `/node_modules`; none for other languages. */
  dependencies: z.array(z.strictObject({ name: z.string(), version: z.string() })).readonly(),
  /** Image of a container engine to run in. @default the sandbox provider's own system */
  image: z.string().min(1).optional(),
  /** Variables that agent and grader see. */
  env: z.record(z.string(), z.string()).optional(),
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
 * gets (no hidden test, no history), `tests/` holds the hidden tests and `solution/` the gold patch or another answer.
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
