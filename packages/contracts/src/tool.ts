import type { z } from 'zod';
import type { Sandbox } from './sandbox.js';

/** What a tool may touch while it executes. */
export interface ToolContext {
  /** The narrow view: files and commands, neither the diff nor the end. */
  readonly sandbox: Sandbox;
  /** Aborts with the rollout; pass it on to every call of the sandbox. */
  readonly signal?: AbortSignal;
}

/**
 * A tool that a policy can call. A throw in `execute` becomes text for the model; only a
 * {@link TadpoleError} with code `sandbox` or `aborted` ends the run.
 *
 * @typeParam Schema - zod schema of the arguments; `execute` receives its parsed output.
 */
export interface Tool<Schema extends z.ZodType = z.ZodType> {
  /** As the model calls it, for instance `Read`. */
  readonly name: string;
  /** What it does, for the model. */
  readonly description: string;
  /** What the model is told as JSON Schema and what its arguments are parsed with. */
  readonly inputSchema: Schema;
  /** @returns the observation, exactly as the model will read it. */
  execute(input: z.output<Schema>, context: ToolContext): Promise<string>;
}

/** A tool of any input, as a list of tools holds it. `execute` must be given what `inputSchema` parsed. */
export type AnyTool = Omit<Tool, 'execute'> & {
  /** See {@link Tool.execute}. */
  execute(input: never, context: ToolContext): Promise<string>;
};

/** A tool as a model endpoint or a renderer sees it: OpenAI's function shape, flattened. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}
