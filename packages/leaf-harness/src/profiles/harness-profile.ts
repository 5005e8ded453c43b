import type { AnyTool } from '@tadpole/contracts';
import type { ToolCallRules } from './tool-call-rules.js';

/** What makes a harness behave as it does; spread it into the options of `runAgent` and `rollOut`, and replace any part. */
export interface HarnessProfile {
  /** Name of these rules, part of the harness fingerprint: profiles with equal tool definitions may differ in what they answer. */
  readonly profile: string;
  readonly systemPrompt: string;
  readonly tools: readonly AnyTool[];
  readonly callRules: ToolCallRules;
}
