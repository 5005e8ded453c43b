import { type CodeSource, languageOfScript } from '../code-source.js';
import { resolvePath } from '../paths.js';
import type { KnownText, ShellCommand, ShellWord } from './shell-command.js';
import type { ShellPlace } from './shell-state.js';

/** A program that a command starts from text that is known. */
export interface NestedProgram {
  readonly source: CodeSource;
  /** Arguments that a shell program gets. */
  readonly positional: readonly ShellWord[];
  /** True where it runs in the same shell: `source`, `eval`. */
  readonly isSameShell: boolean;
}

/** A program that stands in words of a command, joined by blanks. */
export function programFromWords(options: {
  command: ShellCommand;
  words: readonly ShellWord[];
  language: CodeSource['language'];
  /** @default false */
  isSameShell?: boolean;
}): NestedProgram {
  const { command, words, language, isSameShell = false } = options;
  const [first] = words;
  const contentStart = words.length === 1 ? first?.contentStart : undefined;
  const text = words.map(({ value }) => value).join(' ');
  const written = command.source.text.slice(first?.start ?? 0, words.at(-1)?.end ?? 0);
  const origin = isSameShell || /(\\x[0-9a-f]{2}|\\[0-7]{3}){2}/i.test(written) ? 'decoded' : 'nested';
  const span = { start: first?.start ?? command.start, end: words.at(-1)?.end ?? command.end };
  return { source: child({ command, text, language, origin, contentStart, span }), positional: [], isSameShell };
}

/** A program that a command gets as a text: on standard input, from a substitution, from a URL of data. */
export function programFromText(options: { command: ShellCommand; known: KnownText; language: CodeSource['language'] }): NestedProgram {
  const { command, known, language } = options;
  const { text, isDecoded, contentStart } = known;
  const span = { start: command.start, end: command.end };
  const source = child({ command, text, language, origin: isDecoded ? 'decoded' : 'nested', contentStart, span });
  return { source, positional: [], isSameShell: false };
}

/** The program in a file that a word names; none where its text is not known. */
export function programFromFile(options: {
  command: ShellCommand;
  place: ShellPlace;
  word: ShellWord | undefined;
  /** Arguments that the program gets. @default [] */
  positional?: readonly ShellWord[];
  /** Language of a file whose name and first line do not tell it. */
  language: CodeSource['language'];
  /** @default false */
  isSameShell?: boolean;
}): NestedProgram[] {
  const { command, place, word, positional = [], language, isSameShell = false } = options;
  if (!word) return [];
  const substituted = place.state.substituted.get(word.value);
  if (substituted) return [{ ...programFromText({ command, known: substituted, language }), isSameShell }];
  if (/^\/dev\/(stdin|fd\/0)$/.test(word.value)) return command.stdin ? [programFromText({ command, known: command.stdin, language })] : [];
  const path = resolvePath({ path: word.value, cwd: command.cwd });
  const text = place.host.readFile(path);
  const own = text === undefined ? undefined : languageOfScript({ path, text });
  return text === undefined ? [] : [programOfScript({ command, path, text, language: own ?? language, positional, isSameShell })];
}

/** The program in a file whose text is known. */
export function programOfScript(options: {
  command: ShellCommand;
  path: string;
  text: string;
  language: CodeSource['language'];
  positional: readonly ShellWord[];
  isSameShell: boolean;
}): NestedProgram {
  const { command, path, text, language, positional, isSameShell } = options;
  const span = { start: command.start, end: command.end };
  const source = child({ command, text, language, origin: 'file', contentStart: undefined, span });
  return { source: { ...source, file: path }, positional, isSameShell };
}

function child(options: {
  command: ShellCommand;
  text: string;
  language: CodeSource['language'];
  origin: CodeSource['origin'];
  contentStart: number | undefined;
  span: { start: number; end: number };
}): CodeSource {
  const { command, text, language, origin, contentStart, span } = options;
  const parent = command.source;
  return {
    ...{ language, text, origin },
    call: parent.call,
    depth: parent.depth + 1,
    isRun: parent.isRun,
    cwd: command.cwd,
    cite(start = 0, end = text.length) {
      if (contentStart === undefined) return parent.cite(span.start, span.end);
      return parent.cite(contentStart + start, contentStart + end);
    },
  };
}

/** The end of a word, from an offset in its value. */
export function endOfWord(word: ShellWord, from: number): ShellWord {
  return { ...word, value: word.value.slice(from), contentStart: word.contentStart === undefined ? undefined : word.contentStart + from };
}
