export { auditTrajectory, type TrajectoryAudit } from './audit-trajectory.js';
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
export { type CallRecord, callsOf } from './facts/calls.js';
export { type ChangedFile, changedFilesOf, goldFilesOf, languageOf } from './facts/changed-files.js';
export { type FileRole, fileRole, isEntryPoint } from './facts/file-role.js';
export { oncePerSubject } from './facts/once-per-subject.js';
export { type GateAction, type GatePolicy, type GateResult, gate, gateBy, zeroHighSeverity } from './gate.js';
export { createChatCompletion } from './judge/create-chat-completion.js';
export { createChatJudge, type JudgeCompletion, type JudgeMessage } from './judge/create-chat-judge.js';
export { cutMiddle, fence, type JudgeSpan, showInvisible } from './judge/fence.js';
export { findInjections } from './judge/find-injections.js';
export { fleissKappa } from './judge/fleiss-kappa.js';
export { type Judge, type Judgement, type JudgePanel, type JudgeVote, judgementSchema } from './judge/judge.js';
export { judgeSpans } from './judge/judge-spans.js';
export { readJudgement } from './judge/read-judgement.js';
export type { LocatedText } from './locate-arguments.js';
export { makeRule, type RuleHit } from './make-rule.js';
export {
  estimateRecall,
  type ProposedReview,
  proposeReview,
  type RecallEstimate,
  type UnflaggedTrajectory,
} from './monitor/propose-review.js';
export { loadParsers, type ParsedLanguage, parseSource } from './parse/load-parsers.js';
export { childOf, descendants, namedChildren, nodesOf, type SyntaxNode } from './parse/syntax-node.js';
export { citeHeader, citeLine, type PatchFile, type PatchHunk, type PatchLine, parsePatch } from './parse-patch.js';
export { accessRules } from './rules/access/index.js';
export { codeRules } from './rules/code/index.js';
export { harnessRules } from './rules/harness/index.js';
export { inferWorkspace } from './subject/infer-workspace.js';
export { projectNames, readAuditTask } from './subject/read-audit-task.js';
export { subjectOfCase } from './subject/subject-of-case.js';
export { subjectOfPrediction } from './subject/subject-of-prediction.js';
export { subjectOfTrajectory } from './subject/subject-of-trajectory.js';
