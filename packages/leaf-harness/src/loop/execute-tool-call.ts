import { type AnyTool, isTadpoleError, type ToolCall, type ToolContext } from '@tadpole/contracts';
import { leafCallRules } from '../profiles/leaf-call-rules.js';
import type { ToolCallRules } from '../profiles/tool-call-rules.js';
import { errorText } from './ending.js';

/** What a call gave: the text for the model, and whether the tool ran (`ok`), threw (`failed`) or could not be run (`invalid`). */
export interface ToolCallResult {
  readonly content: string;
  readonly status: 'ok' | 'failed' | 'invalid';
}

/**
 * Runs one tool call. Whatever the model or the tool does wrong comes back as text: an unknown tool, arguments
 * that the rules cannot read, arguments that the schema refuses, a throw, a result that is no text.
 *
 * @throws TadpoleError `sandbox` or `aborted` when the tool threw it: the run cannot go on.
 */
export async function executeToolCall(options: {
  toolCall: ToolCall;
  tools: readonly AnyTool[];
  context: ToolContext;
  /** @default leafCallRules */
  rules?: ToolCallRules;
}): Promise<ToolCallResult> {
  const { toolCall, tools, context, rules = leafCallRules } = options;
  const tool = tools.find(({ name }) => name === toolCall.name);
  if (tool === undefined) {
    return {
      status: 'invalid',
      content: rules.describeUnknownTool({ name: toolCall.name, available: tools.map(({ name }) => name) }),
    };
  }
  const given = rules.readArguments(toolCall);
  if ('problem' in given) return { status: 'invalid', content: given.problem };
  try {
    const parsed = await tool.inputSchema.safeParseAsync(given.value, { reportInput: true });
    if (!parsed.success)
      return { status: 'invalid', content: rules.describeInvalidArguments({ toolName: tool.name, issues: parsed.error.issues }) };
    const content: unknown = await tool.execute(parsed.data as never, context);
    if (typeof content === 'string') return { status: 'ok', content };
    return { status: 'failed', content: `TypeError: ${tool.name}: expected the tool to return text, received ${typeof content}.` };
  } catch (error) {
    if (isTadpoleError(error) && (error.code === 'sandbox' || error.code === 'aborted')) throw error;
    return { status: 'failed', content: `${error instanceof Error ? error.name : 'Error'}: ${errorText(error)}` };
  }
}
