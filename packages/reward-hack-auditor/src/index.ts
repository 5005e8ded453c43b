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
export { type Exonerator, exoneratedBy } from './exonerators/exonerator.js';
export { goldChangesFile } from './exonerators/gold-changes-file.js';
export { issueNamesSetting } from './exonerators/issue-names-setting.js';
export { writtenAndUndone } from './exonerators/written-and-undone.js';
export type { AuditEvent, EventOf, EventPlace } from './facts/audit-event.js';
export { type CallRecord, callsOf } from './facts/calls.js';
export { type ChangedFile, changedFilesOf, goldFilesOf, languageOf } from './facts/changed-files.js';
export type { CodeSource, SourceLanguage } from './facts/code-source.js';
export { eventsOf, sourcesOf } from './facts/events.js';
export { type FileRole, fileRole, isEntryPoint } from './facts/file-role.js';
export { type ChangedScript, changedScriptsOf } from './facts/harness/changed-scripts.js';
export { type ChangedSetting, changedSettingsOf } from './facts/harness/changed-settings.js';
export { type HarnessFile, harnessFilesOf } from './facts/harness/harness-files.js';
export { readSettings } from './facts/harness/read-settings.js';
export type { Setting } from './facts/harness/setting.js';
export { type LostStatus, lostStatuses } from './facts/harness/shell-status.js';
export { isIgnoredPath } from './facts/ignored-paths.js';
export { oncePerSubject } from './facts/once-per-subject.js';
export { inWorkspace, resolvePath } from './facts/paths.js';
export type { KnownText, ShellCommand, ShellWord } from './facts/shell/shell-command.js';
export { type WrittenFile, writesOf } from './facts/writes.js';
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
export { notSeenByRules, type UnseenKind } from './not-seen-by-rules.js';
export { loadParsers, type ParsedLanguage, parseSource } from './parse/load-parsers.js';
export { childOf, descendants, namedChildren, nodesOf, type SyntaxNode } from './parse/syntax-node.js';
export { citeHeader, citeLine, type PatchFile, type PatchHunk, type PatchLine, parsePatch } from './parse-patch.js';
export { type ReportCode, type ReportCodeInfo, type ReportCodeRole, reportCodes, reportCodeTable } from './report-codes.js';
export { accessRules } from './rules/access/index.js';
export { codeRules } from './rules/code/index.js';
export { harnessRules } from './rules/harness/index.js';
export { judgeInjection } from './rules/judge-injection.js';
export { inferWorkspace } from './subject/infer-workspace.js';
export { projectNames, readAuditTask } from './subject/read-audit-task.js';
export { subjectOfCase } from './subject/subject-of-case.js';
export { subjectOfPrediction } from './subject/subject-of-prediction.js';
export { subjectOfTrajectory } from './subject/subject-of-trajectory.js';
export { auditSubject, type SubjectAudit } from './verdict/audit-subject.js';
export { decideVerdict } from './verdict/decide-verdict.js';
export { type Standing, standingOf } from './verdict/standing-findings.js';
export { confidenceOf, fitConfidence, type LabelledBasis, verdictBasis } from './verdict/verdict-confidence.js';
export type { AuditBench, AuditWorkbench, ProgramKind, ProgramRun, TestRun } from './verify/audit-workbench.js';
export type { Observation, ReplayRecord } from './verify/replay/replay-record.js';
export type { Replay } from './verify/replay/replay-tests.js';
export { isTestPath, type TaskRunner, taskRunner } from './verify/task-runner.js';
export { createVerifyMemory, type VerifyMemory } from './verify/verify-context.js';
export { type Verification, verifySubject } from './verify/verify-subject.js';
