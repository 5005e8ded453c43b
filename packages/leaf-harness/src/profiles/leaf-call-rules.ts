import type { ToolCall } from '@tadpole/contracts';
import type { z } from 'zod';
import { parseArguments } from './parse-arguments.js';
import type { ReadArguments, ToolCallRules } from './tool-call-rules.js';

/** The rules of `leafProfile`: nothing is run with arguments that a model did not write, and it is told path, expected and received. */
export const leafCallRules: ToolCallRules = {
  readArguments,
  describeUnknownTool: ({ name, available }) => `Unknown tool: ${name}. Available tools: ${available.join(', ')}.`,
  describeInvalidArguments({ toolName, issues }) {
    return `InvalidArgumentsError: ${toolName}: the tool was not run.\n${issues.map(describeIssue).join('\n')}`;
  },
};

function readArguments(toolCall: ToolCall): ReadArguments {
  const expected = `InvalidArgumentsError: ${toolCall.name}: expected the arguments as one JSON object`;
  try {
    const value = parseArguments(toolCall);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value };
    const received = Array.isArray(value) ? 'an array' : value === null ? 'null' : `a ${typeof value}`;
    return { problem: `${expected}, received ${received}. The tool was not run.` };
  } catch (error) {
    const { message } = error as Error;
    const received = error instanceof SyntaxError ? `text that is not JSON (${message})` : `one ${message}`;
    return { problem: `${expected}, received ${received}. The tool was not run.` };
  }
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = issue.path.length === 0 ? '(arguments)' : issue.path.join('.');
  return `${path}: ${issue.message}${issue.message.includes('received') ? '' : `, received ${shortJson(issue.input)}`}`;
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length <= 100 ? text : `${text.slice(0, 100)}… (${text.length} chars)`;
}
