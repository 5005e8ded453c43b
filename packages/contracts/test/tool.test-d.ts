import { describe, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import type { AnyTool, Sandbox, Tool, ToolContext } from '../src/index.js';

const readSchema = z.strictObject({ path: z.string(), limit: z.int().default(2000) });

const read: Tool<typeof readSchema> = {
  name: 'Read',
  description: 'Reads a file',
  inputSchema: readSchema,
  async execute(input, context) {
    expectTypeOf(input).toEqualTypeOf<{ path: string; limit: number }>();
    expectTypeOf(context).toEqualTypeOf<ToolContext>();
    return `${input.path}:${input.limit}`;
  },
};

describe('Tool', () => {
  test('gives execute the parsed output of its own inputSchema, defaults applied', () => {
    expectTypeOf<Parameters<typeof read.execute>[0]>().toEqualTypeOf<z.output<typeof readSchema>>();
  });

  test('refuses an execute that reads a field its inputSchema does not have', () => {
    const wrong: Tool<typeof readSchema> = {
      name: 'Read',
      description: 'Reads a file',
      inputSchema: readSchema,
      // @ts-expect-error the schema has `path`, not `file`
      execute: async ({ file }) => String(file),
    };
    expectTypeOf(wrong).toEqualTypeOf<Tool<typeof readSchema>>();
  });

  test('sees the narrow sandbox: no diff and no dispose', () => {
    expectTypeOf<ToolContext['sandbox']>().toEqualTypeOf<Sandbox>();
    expectTypeOf<Sandbox>().not.toHaveProperty('dispose');
    expectTypeOf<Sandbox>().not.toHaveProperty('diff');
  });

  test('fits into a list of tools of different inputs, whose execute takes nothing unparsed', () => {
    const tools: readonly AnyTool[] = [read];
    expectTypeOf(tools).items.toHaveProperty('inputSchema');
    expectTypeOf<Parameters<AnyTool['execute']>[0]>().toBeNever();
  });
});
