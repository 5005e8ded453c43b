import type { AssistantMessage, Message } from '@tadpole/contracts';
import { editSpan } from './edit-span.js';
import { pickMutation } from './line-mutations.js';
import { pick } from './pick.js';
import { type Snippet, WINDOW_LINES } from './sample-snippet.js';
import { sampleSymptom } from './sample-symptom.js';
import { type StatementFacts, statement } from './statement.js';

/** Choices that {@link editEpisode} draws with. */
export interface EpisodeOptions {
  /** Share of statements that name a line. @default 0.95 */
  readonly namesLine?: number;
  /** Share of named lines that are quoted. @default 0.9 */
  readonly quotesLine?: number;
  /** Share of named lines that are the broken one. @default 0.9 */
  readonly namesBroken?: number;
  /** Share of episodes with a named line that edit it; the others edit another line. @default 0.8 */
  readonly editsNamed?: number;
  /** Share of the edits of a quoted line that come at once, without a Read before them. @default 0.3 */
  readonly editsAtOnce?: number;
}

/**
 * A whole episode as a policy would live it (statement, Read, Edit, closing text) that shows the form of a repair and
 * not how to find one: the symptom is made up, and the edit is a random mutation of the line it takes. It restores the original only by
 * chance, and it takes the named line only in a share of the episodes. Which of the two ways leads further, with Read or at
 * once, is left to reinforcement learning.
 */
export function editEpisode(snippet: Snippet, random: () => number, options: EpisodeOptions = {}): readonly Message[] {
  const { namesLine = 0.95, quotesLine = 0.9, namesBroken = 0.9, editsNamed = 0.8, editsAtOnce = 0.3 } = options;
  const { lines, broken, editable } = snippet;
  const named = random() >= namesLine ? undefined : random() < namesBroken ? broken : pick(editable, random);
  const others = editable.filter((index) => index !== named);
  const edited = named !== undefined && (others.length === 0 || random() < editsNamed) ? named : pick(others, random);
  const text = pickMutation(lines[edited]!.trim(), random);
  const isQuoted = random() < quotesLine;
  const read = opening(snippet, { named, isQuoted, symptom: sampleSymptom(random) });
  const isAtOnce = isQuoted && edited === named && random() < editsAtOnce;
  return [...read.slice(0, isAtOnce ? 1 : undefined), ...repair(snippet, { edited, text, random })];
}

/** Statement, Read and what Read shows. `named` is the index of the line that the statement names. */
export function opening(
  snippet: Snippet,
  options: { named?: number | undefined; isQuoted: boolean; symptom: StatementFacts['symptom'] },
): readonly Message[] {
  const { path, start, lines } = snippet;
  const region = { start, end: start + lines.length - 1 };
  const line =
    options.named === undefined
      ? {}
      : { line: start + options.named, ...(options.isQuoted ? { quoted: lines[options.named]!.trimEnd() } : {}) };
  return [
    { role: 'user', content: statement({ file: path, region, ...line, symptom: options.symptom }) },
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'call_1', name: 'Read', arguments: JSON.stringify({ file_path: path, offset: start, limit: WINDOW_LINES }) }],
    },
    { role: 'tool', toolCallId: 'call_1', content: readObservation(snippet) },
  ];
}

/** The edit of line `edited` (an index), what Edit answers, and the closing text. */
function repair(snippet: Snippet, options: { edited: number; text: string; random: () => number }): readonly Message[] {
  return [
    editMessage(snippet, options),
    { role: 'tool', toolCallId: 'call_2', content: `Edited ${snippet.path} (1 replacement).` },
    { role: 'assistant', content: 'Done.', toolCalls: [] },
  ];
}

/**
 * The turn that edits: it makes line `edited` read `text` by replacing a random beginning of it. The old text is written as
 * Read showed it, number and indent included, so that one token decides which line it is and the rest is copying.
 */
export function editMessage(
  { path, start, lines }: Snippet,
  { edited, text, random }: { edited: number; text: string; random: () => number },
): AssistantMessage {
  const before = lines[edited]!;
  const indent = before.slice(0, before.length - before.trimStart().length);
  const span = editSpan({ before: before.trimEnd(), after: indent + text, lines, random });
  const input = { file_path: path, old_string: `${start + edited}. ${span.old}`, new_string: span.new };
  return { role: 'assistant', content: '', toolCalls: [{ id: 'call_2', name: 'Edit', arguments: JSON.stringify(input) }] };
}

/** What Leaf's Read answers: the path, then numbered lines (frognano.md section 2.2). */
function readObservation({ path, start, lines }: Pick<Snippet, 'path' | 'start' | 'lines'>): string {
  return [path, ...lines.map((line, index) => `${start + index}. ${line}`)].join('\n');
}
