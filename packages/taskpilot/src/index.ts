export { createCertificate } from './admit/create-certificate.js';
export { duplicateKey } from './admit/duplicate-key.js';
export { writeAgentTree } from './admit/write-agent-tree.js';
export { type Bank, type BankEntry, bankMeasurements, bankSchema, emptyBank, parseBank } from './calibrate/bank.js';
export { type CalibrationEvent, type CalibrationSummary, calibrate } from './calibrate/calibrate.js';
export {
  calibrateIteration,
  type IterationEvent,
  type IterationOptions,
  type IterationSummary,
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
export { constantPrior, type PriorModel, predictedPriors, strategyPriors } from './calibrate/prior-model.js';
export { type StrategyChooser, strategyBandit, uniformChooser } from './calibrate/strategy-bandit.js';
export { applyEdits } from './edit/apply-edits.js';
export { bugPatch, type FileChange, goldPatch } from './edit/git-patch.js';
export { createMutationGenerator } from './generator/create-mutation-generator.js';
export type { MutationOperator, Replacement, SyntaxNode } from './generator/mutation-operator.js';
export { mutationOperators } from './generator/mutation-operators.js';
export { seededRandom } from './seeded-random.js';
export { lintStatement } from './statement/lint-statement.js';
export { type Region, regionAround } from './statement/region-around.js';
export { type StatementFacts, type StatementRung, writeStatement } from './statement/write-statement.js';
export type { Split } from './synthesize/quota.js';
export type { SynthesisEvent, SynthesisRefusal } from './synthesize/synthesis-event.js';
export { type SynthesisSummary, synthesize } from './synthesize/synthesize.js';
export { candidateIdOf } from './validate/candidate-trees.js';
export { type HiddenFiles, hashHiddenFiles } from './validate/hidden-files.js';
export { type GeneratedTaskData, rewriteStatement, type TaskDraft } from './validate/task-draft.js';
export { type ValidationSettings, validateCandidate } from './validate/validate-candidate.js';
export type { RefusalReason, Validation } from './validate/validation.js';
