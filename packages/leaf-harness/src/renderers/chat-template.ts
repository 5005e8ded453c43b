import { type Message, TadpoleError, type ToolDefinition } from '@tadpole/contracts';
import { malformed, parsedArguments } from '../policies/parsed-arguments.js';

/** Renders a conversation to the text that a model reads, as the template of the model's tokenizer says. */
export type ChatTemplate = (options: {
  /** In the form of the chat-completions interface, the arguments of calls as objects. */
  messages: readonly Readonly<Record<string, unknown>>[];
  /** In the form of the chat-completions interface. */
  tools: readonly Readonly<Record<string, unknown>>[];
  /** Further variables of the template, for instance `enable_thinking`. */
  variables: Readonly<Record<string, unknown>>;
}) => string;

/**
 * Makes a chat template from its Jinja text, which stands in `chat_template.jinja` or in `tokenizer_config.json`; it ends
 * where the assistant begins to write. Uses the optional peer `@huggingface/jinja`.
 *
 * @throws TadpoleError `missing-dependency` without that package, `invalid-input` for text that is no template; the
 * template throws `invalid-input` for a conversation that it refuses.
 */
export async function compileChatTemplate(options: { template: string }): Promise<ChatTemplate> {
  const { Template } = await import('@huggingface/jinja').catch((cause: unknown) => {
    throw new TadpoleError({
      code: 'missing-dependency',
      message: 'Expected the package @huggingface/jinja, which compileChatTemplate uses. Install it beside @tadpole/leaf-harness.',
      cause,
    });
  });
  const refusing = <Value>(expected: string, work: () => Value): Value => {
    try {
      return work();
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new TadpoleError({ code: 'invalid-input', message: `Expected ${expected}: ${reason}`, cause });
    }
  };
  const compiled = refusing('a Jinja chat template', () => new Template(options.template));
  return ({ messages, tools, variables }) =>
    refusing('a conversation that the chat template takes', () =>
      compiled.render({ ...variables, messages, ...(tools.length === 0 ? {} : { tools }), add_generation_prompt: true }),
    );
}

/** A message in the form that templates take. */
export function templateMessage(message: Message): Readonly<Record<string, unknown>> {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  if (message.role !== 'assistant') return { role: message.role, content: message.content };
  const calls = message.toolCalls.map(({ id, name, arguments: text }) => ({
    id,
    type: 'function',
    function: { name, arguments: parsedArguments(text) ?? malformed(text) },
  }));
  return {
    role: 'assistant',
    content: message.content,
    ...(message.reasoning === undefined ? {} : { reasoning_content: message.reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

/** A tool in the form that templates take. */
export function templateTool({ name, description, parameters }: ToolDefinition): Readonly<Record<string, unknown>> {
  return { type: 'function', function: { name, description, parameters } };
}
