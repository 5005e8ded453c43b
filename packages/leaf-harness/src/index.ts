export { type AtifContent, atifContentSchema, atifPartSchema } from './atif/atif-content.js';
export { type AtifDocument, type AtifStep, atifDocumentSchema, atifStepSchema } from './atif/atif-document.js';
export { fromAtif } from './atif/from-atif.js';
export { readAtif } from './atif/read-atif.js';
export { toAtif } from './atif/to-atif.js';
export { assertFreeSpace } from './journal/assert-free-space.js';
export { createRolloutJournal, type FileRolloutJournal, type RolloutRecord, readRolloutRecords } from './journal/create-rollout-journal.js';
export { type RescoredRollout, rescore } from './journal/rescore.js';
export type { AgentEvent, ToolCallStatus } from './loop/agent-event.js';
export { type AgentLimits, type AgentLimitsInput, agentLimitsSchema } from './loop/agent-limits.js';
export type { AgentState } from './loop/agent-state.js';
export { type CountTokens, estimateMessageTokens } from './loop/estimate-tokens.js';
export { recordSegments } from './loop/record-segments.js';
export { runAgent } from './loop/run-agent.js';
export type { RunAgentOptions } from './loop/run-options.js';
export {
  limitConditions,
  maxContextTokens,
  maxCost,
  maxGeneratedTokens,
  maxRepeatedInvalidCalls,
  maxTokensPerTurn,
  maxTurns,
  maxWallTime,
  type StopCondition,
} from './loop/stop-condition.js';
export { defaultSystemPrompt } from './loop/system-prompt.js';
export type { ChatPolicyOptions } from './policies/chat-policy-options.js';
export type { TokenPrice } from './policies/chat-response.js';
export { type Clock, systemClock } from './policies/clock.js';
export { createAdaptiveLimiter, type RequestLimiter, type RequestPermit } from './policies/create-adaptive-limiter.js';
export { createChatPolicy } from './policies/create-chat-policy.js';
export { createTokenPolicy } from './policies/create-token-policy.js';
export {
  createTokenRecordingChatPolicy,
  type TokenRecordingChatPolicyOptions,
} from './policies/create-token-recording-chat-policy.js';
export { turnSeed } from './policies/turn-seed.js';
export type { HarnessProfile } from './profiles/harness-profile.js';
export { leafCallRules } from './profiles/leaf-call-rules.js';
export { leafExactCallRules } from './profiles/leaf-exact-call-rules.js';
export { leafExactProfile } from './profiles/leaf-exact-profile.js';
export { leafProfile } from './profiles/leaf-profile.js';
export type { ReadArguments, ToolCallRules } from './profiles/tool-call-rules.js';
export type { CallFormat, ParsedTurn } from './renderers/call-format.js';
export { type ChatTemplate, compileChatTemplate } from './renderers/chat-template.js';
export { createHermesRenderer, type ModelRendererOptions } from './renderers/create-hermes-renderer.js';
export { createQwenXmlRenderer } from './renderers/create-qwen-xml-renderer.js';
export { createQwen3Renderer } from './renderers/create-qwen3-renderer.js';
export { createTemplateRenderer, type TemplateRendererOptions } from './renderers/create-template-renderer.js';
export { hermesCalls } from './renderers/hermes-calls.js';
export { loadTokenizer } from './renderers/load-tokenizer.js';
export { qwenXmlCalls } from './renderers/qwen-xml-calls.js';
export { type HuggingFaceTokenizer, huggingFaceTokenizer, type TextTokenizer } from './renderers/text-tokenizer.js';
export { type Divergence, type ReplayReport, replay } from './replay/replay.js';
export { harnessFingerprint } from './rollouts/harness-fingerprint.js';
export { rollOut } from './rollouts/roll-out.js';
export type { RollOutOptions, RolloutJournal } from './rollouts/roll-out-options.js';
export { type RolloutDeadlinesInput, rolloutDeadlinesSchema } from './rollouts/rollout-deadlines.js';
export type { FailedAttempt, RolloutEnd } from './rollouts/rollout-end.js';
export { rolloutKey } from './rollouts/rollout-key.js';
export { rolloutSeed } from './rollouts/rollout-seed.js';
export { type SignalSource, stopOnProcessSignals } from './rollouts/stop-on-process-signals.js';
export { createRedactor, type Redactor } from './secrets/create-redactor.js';
export { redactTrajectory } from './secrets/redact-trajectory.js';
export { redactValue } from './secrets/redact-value.js';
export { type SecretPattern, secretPatterns } from './secrets/secret-patterns.js';
export { createBashTool } from './tools/bash-tool.js';
export { defineTool } from './tools/define-tool.js';
export { createEditTool } from './tools/edit-tool.js';
export { createGlobTool } from './tools/glob-tool.js';
export { type LeafCaps, type LeafCapsInput, leafCapsSchema } from './tools/leaf-caps.js';
export { leafTools } from './tools/leaf-tools.js';
export { createReadTool } from './tools/read-tool.js';
export { toolDefinition } from './tools/tool-definition.js';
export { createWriteTool } from './tools/write-tool.js';
export { leafHarnessVersion } from './version.js';
