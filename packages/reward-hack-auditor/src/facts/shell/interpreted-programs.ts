import type { CodeSource } from '../code-source.js';
import { decodeBase64, textOfBytes } from './decode-text.js';
import { endOfWord, type NestedProgram, programFromFile, programFromText, programFromWords } from './program-source.js';
import type { KnownText, ShellCommand } from './shell-command.js';
import type { ShellPlace } from './shell-state.js';

/** An interpreter's command line while it is read. */
interface Interpreted {
  readonly command: ShellCommand;
  readonly place: ShellPlace;
  readonly language: CodeSource['language'];
}

/** What a word of it means: programs, and whether more words, only standard input or nothing is to be read after it. */
interface ArgumentMeaning {
  readonly programs?: readonly NestedProgram[];
  /** Words that belong to it. @default 1 */
  readonly length?: number;
  readonly after: 'words' | 'stdin' | 'nothing';
}

/** The programs that an interpreter runs: from options, from a file, else from standard input. */
export function interpretedPrograms(options: Interpreted): NestedProgram[] {
  const { command, language } = options;
  const found: NestedProgram[] = [];
  for (let at = 0; at < command.words.length; ) {
    const { programs = [], length = 1, after } = readOption(options, at) ?? readOperand(options, at);
    found.push(...programs);
    if (after === 'nothing') return found;
    if (after === 'stdin') break;
    at += length;
  }
  if (found.length > 0 || !command.stdin) return found;
  return [programFromText({ command, known: command.stdin, language })];
}

function readOption(options: Interpreted, at: number): ArgumentMeaning | undefined {
  const { command, language } = options;
  const word = command.words[at];
  const next = command.words[at + 1];
  if (!word) return { after: 'stdin' };
  if (inlineOption(command.name, language).test(word.value) && next) {
    const program = { ...programFromWords({ command, words: [next], language }), positional: command.words.slice(at + 3) };
    return { programs: [program], length: 2, after: language === 'other' ? 'words' : 'nothing' };
  }
  const joined = joinedText(word.value, language);
  if (joined !== undefined)
    return { programs: [programFromWords({ command, words: [endOfWord(word, joined)], language })], after: 'nothing' };
  if (language === 'python' && word.value === '-m') return { after: 'nothing' };
  if (/^--?(r|require|import|loader|experimental-loader)$/.test(word.value) && next)
    return { programs: preloaded(options, at + 1), length: 2, after: 'words' };
  if (hasValue(word.value, language)) return { length: 2, after: 'words' };
  if (word.value === '-') return { after: 'stdin' };
  return word.value.startsWith('-') ? { after: 'words' } : undefined;
}

function readOperand({ command, place, language }: Interpreted, at: number): ArgumentMeaning {
  const word = command.words[at];
  if (!word) return { after: 'stdin' };
  if (/^([gm]?awk)$/.test(command.name))
    return { programs: [programFromWords({ command, words: [word], language: 'other' })], after: 'nothing' };
  const known = place.state.substituted.get(word.value);
  if (known) return { programs: [programFromText({ command, known, language })], after: 'nothing' };
  if (/^(run|test|eval)$/.test(word.value) && /^(deno|bun)$/.test(command.name)) return { after: 'words' };
  return { programs: programFromFile({ command, place, word, positional: command.words.slice(at + 1), language }), after: 'nothing' };
}

/** Offset at which a program begins in the word of its option: `--eval=…`, `-c…`. */
function joinedText(word: string, language: CodeSource['language']): number | undefined {
  if (/^--(eval|print|command)=/.test(word)) return word.indexOf('=') + 1;
  return language === 'python' && /^-\w*c./.test(word) ? word.indexOf('c') + 1 : undefined;
}

/** True for an option whose next word is a value that is no program. */
function hasValue(word: string, language: CodeSource['language']): boolean {
  return (language === 'python' && /^-[WX]$/.test(word)) || (language === 'bash' && /^-[oO]$/.test(word));
}

/** A module that is loaded before the program: a file, or a URL that holds its text. */
function preloaded({ command, place, language }: Interpreted, at: number): NestedProgram[] {
  const word = command.words[at];
  const text = word && dataUrl(word.value);
  if (text === undefined) return programFromFile({ command, place, word, language });
  const known: KnownText = { text, isConstant: true, isDecoded: true };
  return [programFromText({ command, known, language: 'javascript' })];
}

function inlineOption(name: string, language: CodeSource['language']): RegExp {
  if (language === 'bash') return /^-[a-zA-Z]*c$/;
  if (language === 'python') return /^-[a-zA-Z]*c$/;
  if (language === 'javascript' || language === 'typescript') return /^(-e|-p|-pe|-ep|--eval|--print)$/;
  if (name === 'php') return /^-r$/;
  return /^(-[a-zA-Z]*[eE]|-c|--cmd|\+.*)$/;
}

function dataUrl(text: string): string | undefined {
  const parts = /^data:[\w/+.-]*(;base64)?,([\s\S]*)$/.exec(text);
  if (!parts) return undefined;
  if (!parts[1])
    return (parts[2] ?? '').replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  const bytes = decodeBase64(parts[2] ?? '');
  return bytes && textOfBytes(bytes);
}
