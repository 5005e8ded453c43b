import type { AssistantMessage, Message, Policy } from '@tadpole/contracts';
import type { MutationOperator } from '../generator/mutation-operator.js';
import { mutationOperators } from '../generator/mutation-operators.js';
import { createParserCache } from '../generator/syntax-parser.js';
import { seededRandom } from '../seeded-random.js';
import { readPlace } from './read-place.js';
import { repairEdits, type ShownText } from './repair-edits.js';

/** Lines that are read before and after the one that the statement names. */
const window = 80;

/**
 * A policy that is no model: it reads the place that a statement names and makes one change there that an operator of the
 * procedural generator would make, any of them equally likely. It repairs a bug whose opposite is an operator too as often
 * as there are other changes to make, in every language that has a grammar here. For trying out calibration without a model, and to
 * see which tasks need none. It speaks to the tools `Read` and `Edit` of the Leaf harness, and knows no tests.
 *
 * A statement that names no file is left alone. Its choice depends on the request's seed and messages only.
 */
export function createRepairPolicy(
  options: {
    /** @default mutationOperators */
    operators?: readonly MutationOperator[];
  } = {},
): Policy {
  const { operators = mutationOperators } = options;
  const parsers = createParserCache();
  return {
    name: 'repair',
    async respond({ messages, sampling }) {
      const place = readPlace(messages.findLast(({ role }) => role === 'user')?.content ?? '');
      const seen = messages.filter(({ role }) => role === 'tool');
      if (place === null || seen.length > 1) return answer('Done.');
      const { file, line } = place;
      const [shown] = seen;
      if (shown === undefined) {
        const range = line === null ? {} : { offset: Math.max(1, line - window), limit: 2 * window + 1 };
        return answer('', { name: 'Read', input: { file_path: file, ...range } });
      }
      const edits = await repairEdits({ file, line, shown: shownText(shown), operators, parsers });
      const edit = edits[Math.floor(seededRandom(`${sampling.seed} repair`)() * edits.length)];
      if (edit === undefined) return answer('No change of an operator is possible there.');
      return answer('', { name: 'Edit', input: { file_path: file, old_string: edit.before, new_string: edit.after } });
    },
  };
}

function answer(content: string, call?: { name: string; input: object }) {
  const toolCalls = call === undefined ? [] : [{ id: `repair-${call.name}`, name: call.name, arguments: JSON.stringify(call.input) }];
  const message: AssistantMessage = { role: 'assistant', content, toolCalls };
  return { message, usage: { promptTokens: 0, completionTokens: 0 }, stopReason: 'stop' as const };
}

/** The lines that Read shows as `N. text`, and the number of the first. */
function shownText(message: Message): ShownText {
  const lines = message.content.split('\n').flatMap((line) => {
    const [, number, text = ''] = /^(\d+)\. ?(.*)$/.exec(line) ?? [];
    return number === undefined ? [] : [{ number: Number(number), text }];
  });
  return { text: lines.map(({ text }) => text).join('\n'), firstLine: lines[0]?.number ?? 1 };
}
