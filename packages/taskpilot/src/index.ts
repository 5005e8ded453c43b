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
export { seededRandom } from './seeded-random.js';
export { type Contract, readContract } from './statement/contract/read-contract.js';
export type { ExampleOutcome, FailingExample } from './statement/example/failing-example.js';
export { readFailingExample } from './statement/example/read-failing-example.js';
export { createModuleResolver } from './statement/example/resolve-module.js';
export { lintDeterminacy } from './statement/lint-determinacy.js';
export { lintStatement } from './statement/lint-statement.js';
export { type AskedLiteral, lintTests } from './statement/lint-tests.js';
export { type Region, regionAround } from './statement/region-around.js';
export { type TokenOverlap, tokenOverlap } from './statement/token-overlap.js';
export type { ProseFacts, ProseRung } from './statement/write-prose.js';
export { availableRungs, type StatementFacts, type TemplateRung, writeStatement } from './statement/write-statement.js';
export type { Split } from './synthesize/quota.js';
export type { SynthesisEvent, SynthesisRefusal } from './synthesize/synthesis-event.js';
export { type SynthesisSummary, synthesize } from './synthesize/synthesize.js';
export { candidateIdOf } from './validate/candidate-trees.js';
export type { SolvedVariants } from './validate/control-gates.js';
export { type HiddenFiles, hashHiddenFiles } from './validate/hidden-files.js';
export { type GeneratedTaskData, rewriteStatement, type TaskDraft } from './validate/task-draft.js';
export { type ValidationSettings, validateCandidate } from './validate/validate-candidate.js';
export type { RefusalReason, Validation } from './validate/validation.js';
