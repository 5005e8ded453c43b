export { createAuditWorkbench } from './audit/create-audit-workbench.js';
export { createExecutionVerifier, type ExecutionVerifier, type VerifyRollout } from './audit/create-execution-verifier.js';
export { afterLabel, beforeLabel, climb } from './climb/climb.js';
export type { ClimbOptions } from './climb/climb-options.js';
export { createProgressSink } from './progress/progress-sink.js';
export { type Budget, recipeConfiguration } from './recipe/recipe-configuration.js';
export { recipeRepositories } from './recipe/recipe-repositories.js';
export { type NumberedReport, readIterationReports } from './report/iteration-reports.js';
export { type RunResult, resultText, runResult } from './report/run-result.js';
export { writeReportFile } from './report/write-report-file.js';
export { writeSynthesisReport } from './report/write-synthesis-report.js';
export {
  type Configuration,
  type ConfigurationOverrides,
  configurationHash,
  configurationSchema,
  type DeepPartial,
  overrideConfiguration,
  parseConfiguration,
  type Repository,
  repositorySchema,
} from './run/configuration.js';
export { findNewestRun } from './run/find-run.js';
export { type Journal, openJournal, readJournal } from './run/journal.js';
export { type LossConfiguration, lossSchema } from './run/loss-configuration.js';
export { createRun, type RunStore, readRunFile, resumeRun } from './run/run-store.js';
export {
  createRunSummarizer,
  type EvaluationPoint,
  type RunSummarizer,
  type RunSummary,
  summarizeRun,
  type UpdatePoint,
} from './run/run-summary.js';
export type { StoreFolder } from './run/store-folder.js';
export type { SynthesisProgress } from './run/synthesis-progress.js';
export { createSynthesisPolicy, type RolloutSettings, type SynthesisActor } from './synth/create-synthesis-policy.js';
export type { RepositoryOpenEvent } from './synth/open-repositories.js';
export { recordReplies } from './synth/record-replies.js';
export { openRolloutBook, type RolloutBook } from './synth/rollout-book.js';
export type { SourceRepository } from './synth/source-repository.js';
export type { RepositoryProgress } from './synth/synthesis-progress.js';
export { createSynthesisStore, resumeSynthesisStore, type SynthesisSettings, type SynthesisStore } from './synth/synthesis-store.js';
export {
  type RepositorySynthesis,
  type RepositorySynthesisEvent,
  type RepositorySynthesisOptions,
  synthesizeRepository,
} from './synth/synthesize-repository.js';
export { type TaskWriteEvent, type ValidationEvent, validateRepository } from './synth/validate-repository.js';
