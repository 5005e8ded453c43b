import type { ToolCall } from '@tadpole/contracts';
import type { z } from 'zod';

/** What a call's arguments text means: an object for the tool's schema, or why nothing is run. */
export type ReadArguments = { readonly value: object } | { readonly problem: string };

/** How calls are treated that cannot be run as a model wrote them. Every text goes to the model; none may throw. */
export interface ToolCallRules {
  /** What the arguments text of a call means. */
  readArguments(toolCall: ToolCall): ReadArguments;
  /** For a name that no tool has. */
  describeUnknownTool(options: { name: string; available: readonly string[] }): string;
  /** For arguments that the tool's schema refused; `issues` carry their `input`. */
  describeInvalidArguments(options: { toolName: string; issues: readonly z.core.$ZodIssue[] }): string;
}
