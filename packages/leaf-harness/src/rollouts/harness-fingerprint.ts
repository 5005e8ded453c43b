import { createHash } from 'node:crypto';
import type { AnyTool } from '@tadpole/contracts';
import { type AgentLimitsInput, parseAgentLimits } from '../loop/agent-limits.js';
import { defaultSystemPrompt } from '../loop/system-prompt.js';
import { toolDefinition } from '../tools/tool-definition.js';
import { leafHarnessVersion } from '../version.js';
import { canonicalJson } from './canonical-json.js';

/**
 * Identity of the harness, sha256 in hex: tool definitions in order, system prompt, limits and this package's
 * version. Numbers of two harnesses are compared only with both fingerprints beside them. Not covered: the code of
 * tools and stop conditions that are not this package's (give `rollOut` a `fingerprint` for those).
 */
export function harnessFingerprint(options: {
  tools: readonly AnyTool[];
  /** @default defaultSystemPrompt */
  systemPrompt?: string;
  /** @default every limit's own default */
  limits?: AgentLimitsInput;
}): string {
  const identity = {
    version: leafHarnessVersion,
    systemPrompt: options.systemPrompt ?? defaultSystemPrompt,
    limits: parseAgentLimits(options.limits),
    tools: options.tools.map(toolDefinition),
  };
  return createHash('sha256').update(canonicalJson(identity)).digest('hex');
}
