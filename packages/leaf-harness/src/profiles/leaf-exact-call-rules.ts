import { parseArguments } from './parse-arguments.js';
import type { ToolCallRules } from './tool-call-rules.js';

/**
 * The rules of `leafExactProfile`, the released Leaf's (frognano.md section 2.1): arguments that are not a JSON object
 * become `{}` and the tool is run, so that the model reads which parameter is missing.
 */
export const leafExactCallRules: ToolCallRules = {
  readArguments(toolCall) {
    try {
      const value = parseArguments(toolCall);
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value };
    } catch {
      // Falls through to the empty object.
    }
    return { value: {} };
  },
  describeUnknownTool: ({ name }) => `Unknown tool: ${name}`,
  describeInvalidArguments({ issues }) {
    const [issue] = issues;
    const path = issue === undefined ? 'arguments' : issue.path.join('.');
    return `ValueError: ${path} ${issue?.input === undefined ? 'is required' : `is invalid: ${issue.message}`}`;
  },
};
