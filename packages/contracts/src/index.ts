export {
  type AuditCall,
  type AuditCheck,
  type AuditRule,
  type AuditSubject,
  type AuditTask,
  type AuditTurn,
  type AuditVerdict,
  auditCheckSchema,
  auditVerdictSchema,
  type Evidence,
  evidenceSchema,
  type Finding,
  findingSchema,
  type HackCategory,
  hackCategorySchema,
  type Severity,
  severitySchema,
} from './audit.js';
export { isTadpoleError, TadpoleError, type TadpoleErrorCode } from './error.js';
export {
  type DiscardReason,
  discardReasonSchema,
  type EventSink,
  eventSchema,
  type Rate,
  type RolloutPurpose,
  rateSchema,
  rolloutPurposeSchema,
  type TadpoleEvent,
} from './event.js';
export type { Candidate, FileEdit, Generator, Snapshot, SpanEdit, TreeEdit } from './generator.js';
export type { Grader } from './grader.js';
export type { Loss, LossInputs, LossOutput } from './loss.js';
export {
  type AssistantMessage,
  assistantMessageSchema,
  type Message,
  messageSchema,
  type SystemMessage,
  systemMessageSchema,
  type ToolCall,
  type ToolMessage,
  toolCallSchema,
  toolMessageSchema,
  type UserMessage,
  userMessageSchema,
} from './message.js';
export {
  type Boundary,
  boundarySchema,
  type Outcome,
  outcomeSchema,
  type RolloutPhase,
  rolloutPhaseSchema,
  type Scored,
  scoredSchema,
  type TestResult,
  testResultSchema,
  type Unscored,
  type UnscoredReason,
  unscoredReasonSchema,
  unscoredSchema,
} from './outcome.js';
export { type Policy, type PolicyResponse, type TurnTokens, turnTokensSchema, type Usage, usageSchema } from './policy.js';
export type { Renderer } from './renderer.js';
export type { RewardFunction, RewardScore } from './reward.js';
export type { SampledSequence, Sampler } from './sampler.js';
export { type Sampling, samplingSchema } from './sampling.js';
export {
  type Containment,
  type ContainmentId,
  containmentIdSchema,
  containmentSchema,
  type Network,
  networkSchema,
  type OwnedSandbox,
  type RunOptions,
  type RunResult,
  type Sandbox,
  type SandboxEnvironment,
  type SandboxLimits,
  type SandboxProvider,
  sandboxLimitsSchema,
} from './sandbox.js';
export {
  type Certificate,
  certificateSchema,
  type Gate,
  type GeneratedLineage,
  gateSchema,
  generatedLineageSchema,
  type ImportedLineage,
  importedLineageSchema,
  type Lineage,
  lineageSchema,
  relativePathSchema,
  type ScriptVerifier,
  type StatementRung,
  scriptVerifierSchema,
  statementRungSchema,
  type Task,
  type TaskData,
  type TaskEnvironment,
  type TaskType,
  type TestRunner,
  type TestsVerifier,
  taskDataSchema,
  taskEnvironmentSchema,
  taskTypeSchema,
  testRunnerSchema,
  testsVerifierSchema,
  type Verifier,
  verifierSchema,
  type WrittenLineage,
  writtenLineageSchema,
} from './task.js';
export type { TestExecutor, TestRun } from './test-executor.js';
export type { AnyTool, Tool, ToolContext, ToolDefinition } from './tool.js';
export type {
  Datum,
  DatumForward,
  EngineLoss,
  EngineLossInputs,
  OptimizerSettings,
  TrainingCapabilities,
  TrainingClient,
} from './training-client.js';
export {
  type StopReason,
  stopReasonSchema,
  type TokenSegment,
  type Trajectory,
  type Turn,
  tokenSegmentSchema,
  trajectorySchema,
  turnSchema,
} from './trajectory.js';
