import { type AnyTool, TadpoleError, type ToolDefinition } from '@tadpole/contracts';
import { z } from 'zod';

/**
 * A tool as a model sees it: name, description and the JSON Schema (draft 2020-12) of the arguments a model may
 * write. Argument names that a tool accepts without advertising them (aliases) are not in it.
 *
 * @throws TadpoleError `invalid-input` when the tool's schema has no JSON Schema form.
 */
export function toolDefinition(tool: AnyTool): ToolDefinition {
  try {
    const { $schema: _dialect, '~standard': _standard, ...parameters } = z.toJSONSchema(tool.inputSchema, { io: 'input' });
    return { name: tool.name, description: tool.description, parameters };
  } catch (cause) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `Tool ${tool.name}: expected an inputSchema that JSON Schema can express, received one that it cannot (${String(cause)}). Use plain objects, strings, numbers, booleans and arrays.`,
      cause,
    });
  }
}
