import { type AssistantMessage, type Message, type Renderer, TadpoleError, type ToolDefinition } from '@tadpole/contracts';
import { uniqueCallIds } from '../policies/unique-call-ids.js';
import type { CallFormat } from './call-format.js';
import { type ChatTemplate, templateMessage, templateTool } from './chat-template.js';
import { splitReasoning } from './split-reasoning.js';
import type { TextTokenizer } from './text-tokenizer.js';

/** What `createTemplateRenderer` needs. */
export interface TemplateRendererOptions {
  /** For records. */
  readonly name: string;
  readonly tokenizer: TextTokenizer;
  /** The model's own; it ends where the assistant begins to write. */
  readonly chatTemplate: ChatTemplate;
  /** How the model writes calls. */
  readonly callFormat: CallFormat;
  /** Variables of the template, for instance `{ enable_thinking: false }`. @default none */
  readonly templateVariables?: Readonly<Record<string, unknown>>;
  /** The token with which the template and the model end a turn. @default `<|im_end|>` */
  readonly endOfTurn?: string;
  /** Further tokens that end a turn. @default `<|endoftext|>` */
  readonly otherStops?: readonly string[];
}

/** Text that is rendered often, with its ids. */
interface Piece {
  readonly text: string;
  readonly ids: readonly number[];
}

/** A turn that was sampled, and what stood after it when it was last rendered. */
interface SampledTurn {
  readonly ids: readonly number[];
  after?: Piece;
}

const MARK = 'a-turn-that-was-sampled';

/**
 * Creates a renderer from a model's tokenizer and chat template. A history is rendered by extension: the ids of a message
 * that {@link Renderer.parse} made are kept as they were sampled, and only what follows them is rendered and tokenised. So
 * a prompt extends the one before also where the template would rewrite the history, as those that strip earlier reasoning
 * do. Up to the first such message, and for messages from elsewhere, the template's text is tokenised whole.
 *
 * Keep the message objects themselves for that: a copy counts as a message from elsewhere. Not covered: special tokens in
 * an observation become special tokens of the prompt, as they do at a serving engine.
 *
 * @throws TadpoleError `invalid-input` when a stop is not one token, when the template does not end turns with
 * `endOfTurn`, or, from `render`, when it refuses the conversation.
 */
export function createTemplateRenderer(options: TemplateRendererOptions): Renderer {
  const { name, tokenizer, chatTemplate, callFormat, templateVariables: variables = {}, endOfTurn = '<|im_end|>' } = options;
  const stopIds = [endOfTurn, ...(options.otherStops ?? ['<|endoftext|>'])].map((stop) => singleId(tokenizer, stop));
  const sampled = new WeakMap<Message, SampledTurn>();
  const openings = new WeakMap<Message, Piece>();
  const promptOf = (messages: readonly Readonly<Record<string, unknown>>[], tools: readonly ToolDefinition[]) =>
    chatTemplate({ messages, tools: tools.map(templateTool), variables });

  /** What the template writes after the end of an assistant turn that these messages follow, found behind a turn of our own. */
  function textAfterTurn(messages: readonly Message[]): string {
    const turn = [
      { role: 'user', content: '-' },
      { role: 'assistant', content: MARK },
    ];
    const text = promptOf([...turn, ...messages.map(templateMessage)], []);
    const mark = text.indexOf(MARK);
    const end = text.indexOf(endOfTurn, mark);
    if (mark === -1 || end === -1) {
      throw new TadpoleError({
        code: 'invalid-input',
        message: `Renderer ${name}: expected a chat template that ends an assistant turn with ${endOfTurn}. Give the token that it uses as endOfTurn.`,
      });
    }
    return text.slice(end + endOfTurn.length);
  }

  const pieceOf = (text: string, before: Piece | undefined): Piece =>
    before?.text === text ? before : { text, ids: tokenizer.encode(text) };

  function openingIds(messages: readonly Message[], tools: readonly ToolDefinition[]): readonly number[] {
    const [first] = messages;
    const piece = pieceOf(promptOf(messages.map(templateMessage), tools), first && openings.get(first));
    if (first !== undefined) openings.set(first, piece);
    return piece.ids;
  }

  function turnIds(turn: SampledTurn, following: readonly Message[]): readonly number[] {
    const after = pieceOf(textAfterTurn(following), turn.after);
    turn.after = after;
    const hasEnd = stopIds.includes(turn.ids.at(-1) ?? -1);
    return [...turn.ids, ...(hasEnd ? [] : [stopIds[0]!]), ...after.ids];
  }

  const isOpen = /<think>\s*$/.test(textAfterTurn([]));

  return {
    name,
    stopIds,
    render(messages, tools) {
      const cuts = messages.flatMap((message, index) => (sampled.has(message) ? [index] : []));
      return [
        ...openingIds(messages.slice(0, cuts[0]), tools),
        ...cuts.flatMap((cut, index) => turnIds(sampled.get(messages[cut]!)!, messages.slice(cut + 1, cuts[index + 1]))),
      ];
    },
    parse(ids, messages = [], tools = []) {
      const end = ids.findIndex((id) => stopIds.includes(id));
      const { reasoning, content: written } = splitReasoning({ text: tokenizer.decode(end === -1 ? ids : ids.slice(0, end)), isOpen });
      const { content, calls } = callFormat({ text: written, tools });
      const message: AssistantMessage = {
        role: 'assistant',
        content,
        ...(reasoning === undefined ? {} : { reasoning }),
        toolCalls: uniqueCallIds({ calls: calls.map((call) => ({ id: '', ...call })), messages }),
      };
      sampled.set(message, { ids: [...ids] });
      return message;
    },
  };
}

function singleId(tokenizer: TextTokenizer, token: string): number {
  const ids = tokenizer.encode(token);
  if (ids.length === 1) return ids[0]!;
  throw new TadpoleError({
    code: 'invalid-input',
    message: `Expected ${token} to be one token of the tokenizer, received ${ids.length}. Give the tokens with which the model ends a turn.`,
  });
}
