export { createCertificate } from './admit/create-certificate.js';
export { duplicateKey } from './admit/duplicate-key.js';
export { writeAgentTree, writeHiddenTree } from './admit/write-agent-tree.js';
export {
  type Calibration,
  type CalibrationEvent,
  type CalibrationSummary,
  type CalibrationVerdict,
  calibrate,
  type RolloutRequest,
} from './calibrate/calibrate.js';
export { type Decision, type DecisionRule, fixedRule } from './calibrate/decision-rule.js';
export { decisionTable } from './calibrate/decision-table.js';
export { evaluateRule, type RuleQuality } from './calibrate/evaluate-rule.js';
export { type Band, betaPrior, defaultBand, type GridPrior, gridPrior } from './calibrate/grid-prior.js';
export { type Posterior, posterior } from './calibrate/posterior.js';
export { applyEdits } from './edit/apply-edits.js';
export { type FileChange, gitPatch } from './edit/git-patch.js';
export { createMutationGenerator } from './generator/create-mutation-generator.js';
export type { MutationOperator, Replacement, SyntaxNode } from './generator/mutation-operator.js';
export { mutationOperators } from './generator/mutation-operators.js';
export type { Clock } from './model-written/clock.js';
export { createModelGenerator, type ModelCandidateKind, type ModelGenerator } from './model-written/create-model-generator.js';
export { createStatementWriter, type StatementInformation, type StatementWriter } from './model-written/create-statement-writer.js';
export type { CallBudget, CallReason, ModelCall, ModelKind, Spent } from './model-written/model-call.js';
export type { ModelEndpoint } from './model-written/model-endpoint.js';
export { seededRandom } from './seeded-random.js';
export { lintStatement } from './statement/lint-statement.js';
export { type Region, regionAround } from './statement/region-around.js';
export { type StatementFacts, type TemplateRung, writeStatement } from './statement/write-statement.js';
export type { Split } from './synthesize/quota.js';
export type { SynthesisEvent, SynthesisRefusal } from './synthesize/synthesis-event.js';
export { type SynthesisSummary, synthesize } from './synthesize/synthesize.js';
export { candidateIdOf } from './validate/candidate-trees.js';
export type { SolvedVariants } from './validate/control-gates.js';
export { type HiddenFiles, hashHiddenFiles } from './validate/hidden-files.js';
export { type GeneratedTaskData, rewriteStatement, type TaskDraft } from './validate/task-draft.js';
export { type ValidationSettings, validateCandidate } from './validate/validate-candidate.js';
export type { RefusalReason, Validation } from './validate/validation.js';
