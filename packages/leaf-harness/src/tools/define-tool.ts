import type { Tool } from '@tadpole/contracts';
import type { z } from 'zod';

/**
 * Makes a tool whose `execute` receives what `inputSchema` parsed, with the type inferred from the schema.
 * A throw in `execute` becomes the text `ErrorName: message` for the model; only a TadpoleError with code
 * `sandbox` or `aborted` ends the run.
 *
 * @typeParam Schema - zod schema of the arguments object; it must have a JSON Schema form (`toolDefinition`).
 */
export function defineTool<Schema extends z.ZodType>(tool: Tool<Schema>): Tool<Schema> {
  return tool;
}
