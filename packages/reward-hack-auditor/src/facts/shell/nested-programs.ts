import { type CodeSource, languageOfInterpreter, languageOfScript } from '../code-source.js';
import { resolvePath } from '../paths.js';
import { decodeBase64, textOfBytes } from './decode-text.js';
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

/** The programs whose text a command takes from an argument, from standard input, or from a file that is known. */
export function nestedPrograms(options: { command: ShellCommand; place: ShellPlace }): NestedProgram[] {
  const { command, place } = options;
  const { name, words } = command;
  if (name === 'eval') return [fromWords(command, words, 'bash', true)];
  if (name === 'source' || name === '.') return fromFile(command, place, words[0], words.slice(1), 'bash', true);
  if (name === 'trap' && words.length > 1) return [fromWords(command, words.slice(0, 1), 'bash', false)];
  if (/^(at|batch|crontab)$/.test(name)) return command.stdin ? [fromText(command, command.stdin, 'bash')] : [];
  if (name === 'tmux' || name === 'screen' || name === 'script' || name === 'su' || name === 'systemd-run' || name === 'start-stop-daemon')
    return words.filter(({ value }) => /\s/.test(value)).map((word) => fromWords(command, [word], 'bash', false));
  if (name === 'git') return aliasPrograms(command);
  if (command.program.includes('/') && !languageOfInterpreter(name)) {
    const path = resolvePath({ path: command.program, cwd: command.cwd });
    const text = place.host.readFile(path);
    const language = text === undefined ? undefined : (languageOfScript({ path, text }) ?? 'bash');
    return text === undefined || language === undefined
      ? []
      : [ofFile({ command, path, text, language, positional: words, isSameShell: false })];
  }
  const language = languageOfInterpreter(name);
  return language === undefined ? [] : interpreted(command, place, language);
}

function interpreted(command: ShellCommand, place: ShellPlace, language: CodeSource['language']): NestedProgram[] {
  const { words, name } = command;
  const inline = inlineOption(name, language);
  const found: NestedProgram[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    const next = words[at + 1];
    if (!word) break;
    if (inline.test(word.value) && next) {
      found.push({ ...fromWords(command, [next], language, false), positional: words.slice(at + 3) });
      if (language !== 'other') return found;
      at += 1;
    } else if (/^--(eval|print|command)=/.test(word.value)) {
      found.push(fromWords(command, [cut(word, word.value.indexOf('=') + 1)], language, false));
      return found;
    } else if (language === 'python' && /^-\w*c./.test(word.value)) {
      found.push(fromWords(command, [cut(word, word.value.indexOf('c') + 1)], language, false));
      return found;
    } else if (language === 'python' && word.value === '-m') return found;
    else if (/^--?(r|require|import|loader|experimental-loader)$/.test(word.value) && next) {
      const data = dataUrl(next.value);
      if (data !== undefined) found.push(fromText(command, { text: data, isConstant: true, isDecoded: true }, 'javascript'));
      else found.push(...fromFile(command, place, next, [], language, false));
      at += 1;
    } else if (language === 'python' && /^-[WX]$/.test(word.value)) at += 1;
    else if (/^-[oO]$/.test(word.value) && language === 'bash') at += 1;
    else if (word.value === '-') break;
    else if (!word.value.startsWith('-')) {
      if (/^([gm]?awk)$/.test(name)) return [fromWords(command, [word], 'other', false)];
      const text = place.state.substituted.get(word.value);
      if (text) return [fromText(command, text, language)];
      if (/^(run|test|eval)$/.test(word.value) && /^(deno|bun)$/.test(name)) continue;
      return [...found, ...fromFile(command, place, word, words.slice(at + 1), language, false)];
    }
  }
  if (found.length > 0 || !command.stdin) return found;
  return [fromText(command, command.stdin, language)];
}

function inlineOption(name: string, language: CodeSource['language']): RegExp {
  if (language === 'bash') return /^-[a-zA-Z]*c$/;
  if (language === 'python') return /^-[a-zA-Z]*c$/;
  if (language === 'javascript' || language === 'typescript') return /^(-e|-p|-pe|-ep|--eval|--print)$/;
  if (name === 'php') return /^-r$/;
  return /^(-[a-zA-Z]*[eE]|-c|--cmd|\+.*)$/;
}

/** `-c alias.x='!command'`, `bisect run command`, `rebase --exec`, `submodule foreach`, `config alias.x '!command'`. */
function aliasPrograms(command: ShellCommand): NestedProgram[] {
  const { words } = command;
  return words.flatMap((word, at) => {
    const before = words[at - 1]?.value ?? '';
    const alias = /^alias\.[\w-]+=!/.exec(word.value);
    if (alias) return [fromWords(command, [cut(word, alias[0].length)], 'bash', false)];
    if (/^alias\./.test(before) && word.value.startsWith('!')) return [fromWords(command, [cut(word, 1)], 'bash', false)];
    if (/^(-x|--exec|foreach)$/.test(before)) return [fromWords(command, [word], 'bash', false)];
    if (before === 'run' && words.some(({ value }) => value === 'bisect')) return [fromWords(command, words.slice(at), 'bash', false)];
    return [];
  });
}

function fromWords(
  command: ShellCommand,
  words: readonly ShellWord[],
  language: CodeSource['language'],
  isSameShell: boolean,
): NestedProgram {
  const [first] = words;
  const contentStart = words.length === 1 ? first?.contentStart : undefined;
  const text = words.map(({ value }) => value).join(' ');
  const written = command.source.text.slice(first?.start ?? 0, words.at(-1)?.end ?? 0);
  const origin = isSameShell || /(\\x[0-9a-f]{2}|\\[0-7]{3}){2}/i.test(written) ? 'decoded' : 'nested';
  const span = { start: first?.start ?? command.start, end: words.at(-1)?.end ?? command.end };
  return { source: child({ command, text, language, origin, contentStart, span }), positional: [], isSameShell };
}

function fromText(command: ShellCommand, known: KnownText, language: CodeSource['language']): NestedProgram {
  const { text, isDecoded, contentStart } = known;
  const span = { start: command.start, end: command.end };
  const source = child({ command, text, language, origin: isDecoded ? 'decoded' : 'nested', contentStart, span });
  return { source, positional: [], isSameShell: false };
}

function fromFile(
  command: ShellCommand,
  place: ShellPlace,
  word: ShellWord | undefined,
  positional: readonly ShellWord[],
  language: CodeSource['language'],
  isSameShell: boolean,
): NestedProgram[] {
  if (!word) return [];
  const substituted = place.state.substituted.get(word.value);
  if (substituted) return [{ ...fromText(command, substituted, language), isSameShell }];
  if (/^\/dev\/(stdin|fd\/0)$/.test(word.value)) return command.stdin ? [fromText(command, command.stdin, language)] : [];
  const path = resolvePath({ path: word.value, cwd: command.cwd });
  const text = place.host.readFile(path);
  const own = text === undefined ? undefined : languageOfScript({ path, text });
  return text === undefined ? [] : [ofFile({ command, path, text, language: own ?? language, positional, isSameShell })];
}

function ofFile(options: {
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

function cut(word: ShellWord, from: number): ShellWord {
  return { ...word, value: word.value.slice(from), contentStart: word.contentStart === undefined ? undefined : word.contentStart + from };
}

function dataUrl(text: string): string | undefined {
  const parts = /^data:[\w/+.-]*(;base64)?,([\s\S]*)$/.exec(text);
  if (!parts) return undefined;
  if (!parts[1])
    return (parts[2] ?? '').replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  const bytes = decodeBase64(parts[2] ?? '');
  return bytes && textOfBytes(bytes);
}
