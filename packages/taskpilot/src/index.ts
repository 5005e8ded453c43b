export { createCertificate } from './admit/create-certificate.js';
export { duplicateKey } from './admit/duplicate-key.js';
export { describeGate, explainCertificate } from './admit/explain-certificate.js';
export { type TaskCheck, verifyTask } from './admit/verify-task.js';
export { writeAgentTree, writeHiddenTree } from './admit/write-agent-tree.js';
export type { QuotaShares } from './calibrate/admission-quota.js';
export { type Bank, type BankEntry, bankEntrySchema, bankMeasurements, bankSchema, emptyBank, parseBank } from './calibrate/bank.js';
export { type CalibrationEvent, type CalibrationSummary, calibrate } from './calibrate/calibrate.js';
export {
  type CandidateVerdict,
  calibrateIteration,
  type IterationEvent,
  type IterationOptions,
  type IterationSummary,
  type ReuseSettings,
} from './calibrate/calibrate-iteration.js';
export type { Calibration, CalibrationVerdict } from './calibrate/calibration.js';
export { type CandidateSource, candidatePool } from './calibrate/candidate-source.js';
export { type Checkpoint, type CheckpointCount, carriedLikelihood } from './calibrate/carried-likelihood.js';
export { type Decision, type DecisionRule, fixedRule } from './calibrate/decision-rule.js';
export { decisionTable } from './calibrate/decision-table.js';
export { type DifficultyPredictor, fitDifficulty } from './calibrate/difficulty-predictor.js';
export { type Anchor, estimateShift } from './calibrate/estimate-shift.js';
export { evaluateRule, type RuleQuality } from './calibrate/evaluate-rule.js';
export { type Band, betaPrior, defaultBand, type GridPrior, gridPrior } from './calibrate/grid-prior.js';
export { frogNanoTarget, learnabilityRule } from './calibrate/learnability-rule.js';
export { logitNormalPrior } from './calibrate/logit-normal-prior.js';
export type { ShiftEvent } from './calibrate/measure-anchors.js';
export type { RollOut, RolloutRequest } from './calibrate/measure-wave.js';
export {
  type CalibrationCandidate,
  calibrationCandidateSchema,
  type Measurement,
  type TaskFeatures,
  taskFeaturesSchema,
} from './calibrate/measurement.js';
export { type Count, hierarchicalPrior, pooledPrior } from './calibrate/pooled-prior.js';
export { type Posterior, posterior } from './calibrate/posterior.js';
export { bankPriors, constantPrior, type PriorModel, predictedPriors, strategyPriors } from './calibrate/prior-model.js';
export type { RoundEvent } from './calibrate/rollout-meter.js';
export { type StrategyChooser, strategyBandit, uniformChooser } from './calibrate/strategy-bandit.js';
export { codeTokens } from './duplicates/code-tokens.js';
export { type CommentSyntax, commentSyntax } from './duplicates/comment-syntax.js';
export {
  type Contamination,
  type ContaminationMatch,
  type ContaminationSettings,
  createDecontaminator,
  decontaminate,
  type RecordPart,
  type TrainingRecord,
} from './duplicates/decontaminate.js';
export { describeDuplicate, type RepeatedKey } from './duplicates/describe-duplicate.js';
export {
  createDuplicateFilter,
  type DuplicateFilter,
  type DuplicateTask,
  type DuplicateVerdict,
  type EarlierTask,
} from './duplicates/duplicate-filter.js';
export {
  type DuplicateState,
  duplicateStateSchema,
  parseDuplicateState,
  type RememberedTask,
  rememberedTaskSchema,
} from './duplicates/duplicate-state.js';
export { duplicateTaskOf } from './duplicates/duplicate-task-of.js';
export { type EvaluationRecord, readEvaluationSet } from './duplicates/evaluation-record.js';
export { type DimensionDrift, type Drift, type DriftTask, measureDrift, type ShareDrift } from './duplicates/measure-drift.js';
export { type MixTarget, mixTargets } from './duplicates/mix-targets.js';
export { changedTokens, type NormalisedFile, normalisePatch, patchKey } from './duplicates/normalise-patch.js';
export { type PatchFile, type PatchHunk, type PatchLine, parsePatch } from './duplicates/parse-patch.js';
export { type PatchFunction, patchFunctions } from './duplicates/patch-functions.js';
export { type PatchSizeBucket, type PatchStatistics, patchStatistics } from './duplicates/patch-statistics.js';
export type { RepositoryMatch } from './duplicates/repository-matches.js';
export { type RepositoryName, repositoryName } from './duplicates/repository-name.js';
export { simhashDistance, statementSimhash } from './duplicates/statement-simhash.js';
export { type DuplicateFacts, type TaskKeys, taskKeys } from './duplicates/task-keys.js';
export { type MixDimension, type MixTask, mixDimensions, mixOf, type TaskMix } from './duplicates/task-mix.js';
export { tokenJaccard, tokenSet } from './duplicates/token-jaccard.js';
export { applyEdits } from './edit/apply-edits.js';
export { type FileChange, gitPatch } from './edit/git-patch.js';
export { type CandidateFacts, createFactReader } from './generator/candidate-facts.js';
export { combineCandidates } from './generator/combine-candidates.js';
export type { Combination, CombinationScope } from './generator/combine-parts.js';
export { createMutationGenerator } from './generator/create-mutation-generator.js';
export type { Language, Part, Shape, Swaps } from './generator/languages/language.js';
export { languageOf, languages } from './generator/languages/languages.js';
export { mutationGenerators } from './generator/mutation-generators.js';
export type { MutationOperator, OperatorFamily, Replacement, SyntaxPlace } from './generator/mutation-operator.js';
export { lineOperators, mutationOperators } from './generator/mutation-operators.js';
export { type ProposedEdit, singleLineEdit } from './generator/single-line-edit.js';
export type { SyntaxNode } from './generator/syntax-node.js';
export { widenCandidate } from './generator/widen-candidate.js';
export type { Clock } from './model-written/clock.js';
export { createModelGenerator, type ModelCandidateKind, type ModelGenerator } from './model-written/create-model-generator.js';
export { createStatementWriter, type StatementInformation, type StatementWriter } from './model-written/create-statement-writer.js';
export type { CallBudget, CallReason, ModelCall, ModelKind, Spent } from './model-written/model-call.js';
export type { ModelEndpoint } from './model-written/model-endpoint.js';
export { createMoveEffects, type MoveEffects } from './refine/create-move-effects.js';
export { defaultMoves } from './refine/default-moves.js';
export type { MoveEffect } from './refine/effect-likelihood.js';
export { isWorthwhile } from './refine/is-worthwhile.js';
export {
  type MovedChild,
  type MoveEffectsState,
  movedChildSchema,
  moveEffectsStateSchema,
  parseMoveEffectsState,
} from './refine/move-effects-state.js';
export type { RolloutCount } from './refine/parents-rate.js';
export { type RefinedChild, refinablePriors } from './refine/refinable-priors.js';
export type { MeasuredTask, Refinement, RefinementMove } from './refine/refinement-move.js';
export { createRepairPolicy } from './repair/create-repair-policy.js';
export { iterationReport } from './report/iteration-report.js';
export {
  type FunnelRow,
  type HistogramBin,
  type IterationMix,
  type IterationReport,
  iterationReportSchema,
  type MeasuredRate,
  type RolloutSpending,
} from './report/iteration-report-schema.js';
export { type RealisedRates, type RealisedSummary, type RealisedTask, realisedRates } from './report/realised-rates.js';
export type { ReportedEvent, ReportedEventOf, ReportedFields } from './report/reported-event.js';
export { createCommitGenerator } from './reversal/create-commit-generator.js';
export { createReleaseGenerator } from './reversal/create-release-generator.js';
export { seededRandom } from './seeded-random.js';
export { type Contract, readContract } from './statement/contract/read-contract.js';
export type { ExampleOutcome, FailingExample } from './statement/example/failing-example.js';
export { type FailingTest, readFailingExample } from './statement/example/read-failing-example.js';
export { createModuleResolver } from './statement/example/resolve-module.js';
export { lintDeterminacy } from './statement/lint-determinacy.js';
export { lintStatement } from './statement/lint-statement.js';
export { type AskedLiteral, lintTests } from './statement/lint-tests.js';
export { type Region, regionAround } from './statement/region-around.js';
export { type TokenOverlap, tokenOverlap } from './statement/token-overlap.js';
export type { ProseFacts, ProseRung } from './statement/write-prose.js';
export { availableRungs, type StatementFacts, type TemplateRung, writeStatement } from './statement/write-statement.js';
export type { Split } from './synthesize/quota.js';
export type { SynthesisBudget } from './synthesize/synthesis-budget.js';
export type {
  AdmitEvent,
  DiscardEvent,
  EndEvent,
  RefuseEvent,
  SynthesisEvent,
  SynthesisRefusal,
  ValidateEvent,
} from './synthesize/synthesis-event.js';
export type { SynthesisPolicy, SynthesisRollout } from './synthesize/synthesis-policy.js';
export {
  emptySynthesisState,
  type KeptTask,
  keptTaskSchema,
  parseSynthesisState,
  type SynthesisState,
  synthesisStateSchema,
} from './synthesize/synthesis-state.js';
export { type AdmittedTask, type Synthesis, type SynthesisOptions, synthesize } from './synthesize/synthesize.js';
export { taskKind } from './synthesize/task-kind.js';
export { type ProposalEvent, type ProposalSummary, validateProposals } from './synthesize/validate-proposals.js';
export { candidateIdOf } from './validate/candidate-trees.js';
export type { SolvedVariants } from './validate/control-gates.js';
export { type HiddenFiles, hashHiddenFiles } from './validate/hidden-files.js';
export type { TestFilesFor } from './validate/impacted-test-files.js';
export { type GeneratedTaskData, rewriteStatement, type TaskDraft } from './validate/task-draft.js';
export { taskDraftSchema, treeEditSchema } from './validate/task-draft-schema.js';
export { type ValidationSettings, validateCandidate } from './validate/validate-candidate.js';
export type { RefusalReason, Validation } from './validate/validation.js';
export { behaviourPreservingRewrites } from './variants/behaviour-preserving-rewrites.js';
export { siblingMutants } from './variants/sibling-mutants.js';
