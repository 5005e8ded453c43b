import { type ShellWord, type Token, tokenizeShell } from './tokenize-shell.js';

/** One simple command of a shell text. Spans are offsets in that text. */
export interface ShellCommand {
  /** Name without its folder; empty when only variables are set or files redirected. */
  readonly name: string;
  /** Arguments after the name, quotes removed. */
  readonly words: readonly ShellWord[];
  /** `NAME=value` before the command. */
  readonly assignments: readonly ShellWord[];
  readonly redirects: readonly { readonly operator: string; readonly target: ShellWord }[];
  /** Text of a here-document, when there is one. */
  readonly heredoc: ShellWord | undefined;
}

/**
 * Reads the simple commands of a shell text in order: those joined by operators, in subshells, in `$(...)`, in
 * loops and conditions, behind wrappers (`env`, `timeout`, `xargs`, `find -exec` and the like), and in the text
 * given to `bash -c` (to a depth of 16). Nothing is expanded: a command that variables, `eval` or an encoding build is not seen.
 */
export function parseShell(text: string): readonly ShellCommand[] {
  return parseTokens(tokenizeShell(text), 0);
}

/** Scripts within scripts deeper than this are not read: hostile text must not exhaust the stack. */
const deepest = 16;

const wrappers = /^(sudo|env|nohup|time|exec|command|builtin|stdbuf|nice|xargs|timeout|setsid|if|then|else|elif|do|while|until|!|\{)$/;

function parseTokens(tokens: readonly Token[], depth: number): ShellCommand[] {
  const commands: ShellCommand[] = [];
  let words: ShellWord[] = [];
  let redirects: { operator: string; target: ShellWord }[] = [];
  let heredoc: ShellWord | undefined;
  const finish = () => {
    if (words.length > 0 || redirects.length > 0) commands.push(...expandCommand({ words, redirects, heredoc, depth }));
    words = [];
    redirects = [];
    heredoc = undefined;
  };
  for (const token of tokens) {
    if (token.kind === 'separator') finish();
    else if (token.kind === 'word') {
      words.push(token.word);
      for (const inner of token.nested) commands.push(...parseTokens(inner, depth));
    } else if (token.operator.startsWith('<<')) heredoc = token.target;
    else redirects.push({ operator: token.operator, target: token.target });
  }
  finish();
  return commands;
}

function expandCommand(raw: {
  words: readonly ShellWord[];
  redirects: ShellCommand['redirects'];
  heredoc: ShellWord | undefined;
  depth: number;
}): ShellCommand[] {
  const assignments: ShellWord[] = [];
  let rest = [...raw.words];
  for (let first = rest[0]; first; first = rest[0]) {
    if (/^\w+=/.test(first.value)) assignments.push(first);
    else if (!wrappers.test(first.value)) break;
    rest = rest.slice(1);
    if (wrappers.test(first.value)) while (/^(-|\d+(\.\d+)?[smh]?$)/.test(rest[0]?.value ?? '')) rest = rest.slice(1);
  }
  const [head, ...words] = rest;
  const name = head?.value.split('/').pop() ?? '';
  const command: ShellCommand = { name, words, assignments, redirects: raw.redirects, heredoc: raw.heredoc };
  return raw.depth < deepest ? [command, ...nestedCommands(command, raw.depth + 1)] : [command];
}

function nestedCommands({ name, words, heredoc }: ShellCommand, depth: number): ShellCommand[] {
  if (/^(ba|z|da|k)?sh$/.test(name)) {
    const option = words.findIndex(({ value }) => /^-\w*c$/.test(value));
    const script = option >= 0 ? words[option + 1] : heredoc;
    return script ? parseTokens(tokenizeShell(script.value), depth).map((inner) => shiftCommand(inner, script)) : [];
  }
  const exec = name === 'find' ? words.findIndex(({ value }) => /^-(exec|execdir|ok)$/.test(value)) : -1;
  return exec < 0 ? [] : expandCommand({ words: words.slice(exec + 1), redirects: [], heredoc: undefined, depth });
}

/** Places a command that was read from a word's value: exactly where quoting left the text alone, else at the whole word. */
function shiftCommand(command: ShellCommand, script: ShellWord): ShellCommand {
  const shift = (word: ShellWord): ShellWord => {
    const offset = script.contentStart;
    return offset === undefined
      ? { ...word, start: script.start, end: script.end, contentStart: undefined }
      : {
          value: word.value,
          start: word.start + offset,
          end: word.end + offset,
          contentStart: word.contentStart === undefined ? undefined : word.contentStart + offset,
        };
  };
  return {
    name: command.name,
    words: command.words.map(shift),
    assignments: command.assignments.map(shift),
    redirects: command.redirects.map(({ operator, target }) => ({ operator, target: shift(target) })),
    heredoc: command.heredoc && shift(command.heredoc),
  };
}
