import { createHash } from 'node:crypto';
import type { AnyTool } from '@tadpole/contracts';
import { type AgentLimitsInput, parseAgentLimits } from '../loop/agent-limits.js';
import type { StopCondition } from '../loop/stop-condition.js';
import { defaultSystemPrompt } from '../loop/system-prompt.js';
import { toolDefinition } from '../tools/tool-definition.js';
import { leafHarnessVersion } from '../version.js';
import { canonicalJson } from './canonical-json.js';

/**
 * Identity of the harness, sha256 in hex: the profile's name, tool definitions in order, system prompt, limits, ids of
 * the stop conditions and this package's version. Numbers of two harnesses are compared only with both fingerprints beside
 * them. Not covered: the code of tools, rules and stop conditions that are not this package's (give `rollOut` a
 * `fingerprint` for those).
 */
export function harnessFingerprint(options: {
  tools: readonly AnyTool[];
  /** @default defaultSystemPrompt */
  systemPrompt?: string;
  /** @default every limit's own default */
  limits?: AgentLimitsInput;
  /** @default 'leaf' */
  profile?: string;
  /** @default 'keep' */
  binaries?: 'keep' | 'leave-out';
  /** @default none */
  stopConditions?: readonly StopCondition[];
}): string {
  const identity = {
    version: leafHarnessVersion,
    profile: options.profile ?? 'leaf',
    systemPrompt: options.systemPrompt ?? defaultSystemPrompt,
    limits: parseAgentLimits(options.limits),
    binaries: options.binaries ?? 'keep',
    stopConditions: (options.stopConditions ?? []).map(({ id = 'unnamed' }) => id),
    tools: options.tools.map(toolDefinition),
  };
  return createHash('sha256').update(canonicalJson(identity)).digest('hex');
}
