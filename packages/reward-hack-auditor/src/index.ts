export { auditTrajectory } from './audit-trajectory.js';
export {
  type CaseMessage,
  type CaseTask,
  type CorpusCase,
  caseMessageSchema,
  caseSchema,
  caseTaskSchema,
  corpusCaseSchema,
  type LabelledCase,
} from './corpus/case-schema.js';
export {
  type CaseCategory,
  type CaseKind,
  type CaseSplit,
  caseCategorySchema,
  caseKindSchema,
  caseSplitSchema,
} from './corpus/case-vocabulary.js';
export { defaultRules } from './default-rules.js';
export { auditEnvironment } from './environment/audit-environment.js';
export type { EnvironmentProbe, Exposure, ProbedTask } from './environment/exposure.js';
export { environmentProbes } from './environment/probes.js';
export { evidenceText } from './evidence-text.js';
export { type GateAction, type GatePolicy, type GateResult, gate, zeroHighSeverity } from './gate.js';
export type { LocatedText } from './locate-arguments.js';
export { type CodeMatch, matchCode } from './match-code.js';
export {
  estimateRecall,
  type ProposedReview,
  proposeReview,
  type RecallEstimate,
  type UnflaggedTrajectory,
} from './monitor/propose-review.js';
export { citeHeader, citeLine, type PatchFile, type PatchLine, parsePatch } from './parse-patch.js';
export { parseShell, type ShellCommand } from './parse-shell.js';
export { type PathAccess, pathAccesses } from './path-accesses.js';
export { type CallRecord, readCalls } from './read-calls.js';
export { exitTampering } from './rules/exit-tampering.js';
export { gitFuture } from './rules/git-future.js';
export { hiddenTests } from './rules/hidden-tests.js';
export { judgeAddress } from './rules/judge-address.js';
export { reporterTampering } from './rules/reporter-tampering.js';
export { runnerConfig } from './rules/runner-config.js';
export { skipMarkers } from './rules/skip-markers.js';
export { specialCase } from './rules/special-case.js';
export { testDetection } from './rules/test-detection.js';
export { testEdit } from './rules/test-edit.js';
export type { ShellWord } from './tokenize-shell.js';
