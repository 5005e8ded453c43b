export { type AtifDocument, type AtifStep, atifDocumentSchema } from './atif/atif-document.js';
export { fromAtif } from './atif/from-atif.js';
export { toAtif } from './atif/to-atif.js';
export type { AgentEvent, ToolCallStatus } from './loop/agent-event.js';
export { type AgentLimits, type AgentLimitsInput, agentLimitsSchema } from './loop/agent-limits.js';
export type { AgentState } from './loop/agent-state.js';
export { recordSegments } from './loop/record-segments.js';
export { runAgent } from './loop/run-agent.js';
export type { RunAgentOptions } from './loop/run-options.js';
export type { StopCondition } from './loop/stop-condition.js';
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
export { harnessFingerprint } from './rollouts/harness-fingerprint.js';
export { rollOut } from './rollouts/roll-out.js';
export type { RollOutOptions } from './rollouts/roll-out-options.js';
export type { FailedAttempt, RolloutEnd } from './rollouts/rollout-end.js';
export { rolloutKey } from './rollouts/rollout-key.js';
export { rolloutSeed } from './rollouts/rollout-seed.js';
export { bashTool } from './tools/bash-tool.js';
export { defineTool } from './tools/define-tool.js';
export { editTool } from './tools/edit-tool.js';
export { globTool } from './tools/glob-tool.js';
export { leafTools } from './tools/leaf-tools.js';
export { readTool } from './tools/read-tool.js';
export { toolDefinition } from './tools/tool-definition.js';
export { writeTool } from './tools/write-tool.js';
export { leafHarnessVersion } from './version.js';
