import { type AnyTool, isTadpoleError, type ToolCall, type ToolContext } from '@tadpole/contracts';
import type { z } from 'zod';

/** What a call gave: the text for the model, and whether the tool ran (`ok`), threw (`failed`) or could not be run (`invalid`). */
export interface ToolCallResult {
  readonly content: string;
  readonly status: 'ok' | 'failed' | 'invalid';
}

/**
 * Runs one tool call. Whatever the model or the tool does wrong comes back as text: an unknown tool, arguments
 * that are not a JSON object (nothing is run with invented ones), arguments that the schema refuses, a throw.
 *
 * @throws TadpoleError `sandbox` or `aborted` when the tool threw it: the run cannot go on.
 */
export async function executeToolCall(options: {
  toolCall: ToolCall;
  tools: readonly AnyTool[];
  context: ToolContext;
}): Promise<ToolCallResult> {
  const { toolCall, tools, context } = options;
  const tool = tools.find(({ name }) => name === toolCall.name);
  if (tool === undefined) {
    return { status: 'invalid', content: `Unknown tool: ${toolCall.name}. Available tools: ${tools.map(({ name }) => name).join(', ')}.` };
  }
  const given = parseArguments(toolCall);
  if ('problem' in given) return { status: 'invalid', content: given.problem };
  try {
    const parsed = await tool.inputSchema.safeParseAsync(given.value, { reportInput: true });
    if (!parsed.success) return { status: 'invalid', content: describeIssues(tool.name, parsed.error.issues) };
    return { status: 'ok', content: await tool.execute(parsed.data as never, context) };
  } catch (error) {
    if (isTadpoleError(error) && (error.code === 'sandbox' || error.code === 'aborted')) throw error;
    return { status: 'failed', content: error instanceof Error ? `${error.name}: ${error.message}` : `Error: ${String(error)}` };
  }
}

function parseArguments(toolCall: ToolCall): { value: object } | { problem: string } {
  const expected = `InvalidArgumentsError: ${toolCall.name}: expected the arguments as one JSON object`;
  try {
    const value: unknown = JSON.parse(toolCall.arguments);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value };
    return {
      problem: `${expected}, received ${Array.isArray(value) ? 'an array' : value === null ? 'null' : `a ${typeof value}`}. The tool was not run.`,
    };
  } catch (error) {
    return {
      problem: `${expected}, received text that is not JSON (${error instanceof Error ? error.message : String(error)}). The tool was not run.`,
    };
  }
}

/** One line an issue: the path, what was expected, what was received. */
function describeIssues(toolName: string, issues: readonly z.core.$ZodIssue[]): string {
  const lines = issues.map((issue) => {
    const path = issue.path.length === 0 ? '(arguments)' : issue.path.join('.');
    const received = issue.message.includes('received') ? '' : `, received ${shortJson(issue.input)}`;
    return `${path}: ${issue.message}${received}`;
  });
  return `InvalidArgumentsError: ${toolName}: the tool was not run.\n${lines.join('\n')}`;
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length <= 100 ? text : `${text.slice(0, 100)}… (${text.length} chars)`;
}
