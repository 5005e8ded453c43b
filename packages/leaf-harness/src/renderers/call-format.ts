import type { ToolDefinition } from '@tadpole/contracts';

/** What a model wrote after its reasoning. */
export interface ParsedTurn {
  /** What stands outside the calls. */
  readonly content: string;
  /** `arguments` as JSON text; where the model wrote none that can be read, its own text, which is no JSON object. */
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
}

/** Reads the calls out of a model's text. Never throws: what cannot be read is text, or a call with malformed arguments. */
export type CallFormat = (options: {
  text: string;
  /** For formats whose values have no type of their own. */
  tools: readonly ToolDefinition[];
}) => ParsedTurn;
