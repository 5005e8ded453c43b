import { posix } from 'node:path';
import type { Evidence } from '@tadpole/contracts';
import { parseShell, type ShellCommand } from './parse-shell.js';
import type { CallRecord } from './read-calls.js';
import type { ShellWord } from './tokenize-shell.js';

/** A path that a call names, absolute inside the sandbox. */
export interface PathAccess {
  readonly path: string;
  /** `search` for a pattern or a recursive walk below the path. */
  readonly mode: 'read' | 'write' | 'search';
  /** The search's pattern, when there is one. */
  readonly pattern: string;
  readonly evidence: Evidence;
}

/**
 * The paths that a call of Read, Write, Edit, Glob or Bash names. In a command these are the arguments and
 * redirections that look like paths, after any `cd`; also quoted absolute paths in code given to an
 * interpreter. Patterns of grep, sed and awk are no paths. A path that is put together at run time is not seen.
 */
export function pathAccesses(call: CallRecord, workspacePath: string): readonly PathAccess[] {
  const resolve = (path: string) => posix.resolve(workspacePath, path.replace(/^(~|\$HOME|\$\{HOME\})(?=\/|$)/, '/root'));
  if (call.tool === 'Glob') {
    const pattern = call.arguments.get('pattern')?.value ?? '';
    const argument = call.arguments.has('file_path') && !pattern.startsWith('/') ? 'file_path' : 'pattern';
    const fixed = pattern.split(/[*?[{]/)[0] ?? '';
    const base = posix.resolve(resolve(call.arguments.get('file_path')?.value ?? '.'), fixed.slice(0, fixed.lastIndexOf('/') + 1));
    const evidence = call.cite(argument, 0, call.arguments.get(argument)?.value.length ?? 0);
    return [{ path: base, mode: 'search', pattern, evidence }];
  }
  const file = call.arguments.get('file_path');
  if (file && ['Read', 'Write', 'Edit'].includes(call.tool)) {
    const mode = call.tool === 'Read' ? 'read' : 'write';
    return [{ path: resolve(file.value), mode, pattern: '', evidence: call.cite('file_path', 0, file.value.length) }];
  }
  const command = call.arguments.get('command')?.value;
  return call.tool === 'Bash' && command !== undefined ? commandAccesses({ call, command, workspacePath, resolve }) : [];
}

function commandAccesses(options: {
  call: CallRecord;
  command: string;
  workspacePath: string;
  resolve: (path: string) => string;
}): PathAccess[] {
  const { call, workspacePath, resolve } = options;
  let folder = workspacePath;
  const accesses: PathAccess[] = [];
  const add = (value: string, span: { start: number; end: number }, mode: PathAccess['mode'], pattern = '') => {
    const path = /^[/~$]/.test(value) ? resolve(value) : posix.resolve(folder, value);
    accesses.push({ path, mode, pattern, evidence: call.cite('command', span.start, span.end) });
  };
  for (const command of parseShell(options.command)) {
    for (const { operator, target } of command.redirects) {
      if (operator !== '<<<' && target.value !== '' && !/^&?[\d-]*$/.test(target.value))
        add(target.value, target, operator.startsWith('<') ? 'read' : 'write');
    }
    const operands = pathOperands(command).filter(
      ({ value }) => folder !== workspacePath || /^(\/|~|\$HOME|\$\{HOME\}|\.\.)|\/\.\.(\/|$)/.test(value),
    );
    const pattern = command.name === 'find' ? command.words.map(({ value }) => value).join(' ') : '';
    const modeOf = accessMode(command);
    for (const operand of operands) add(operand.value, operand, modeOf(operand), pattern);
    for (const { value, start, end } of codePaths(command)) add(value, { start, end }, 'read');
    if (command.name === 'cd' || command.name === 'pushd') folder = posix.resolve(folder, resolveFolder(command, resolve));
  }
  return accesses;
}

function resolveFolder(command: ShellCommand, resolve: (path: string) => string): string {
  const target = command.words.find(({ value }) => !value.startsWith('-'))?.value ?? '~';
  return /^[/~$]/.test(target) ? resolve(target) : target;
}

function pathOperands({ name, words }: ShellCommand): readonly ShellWord[] {
  if (/^(echo|printf|export|alias|test|\[|\[\[|git|npm|npx)$/.test(name)) return [];
  const operands = words.filter(({ value }) => value !== '' && !value.startsWith('-'));
  const hasScript =
    /^(e|f|p|r)?grep$|^(rg|sed|awk|gawk|perl|jq)$/.test(name) && !words.some(({ value }) => /^(-e|-f|--regexp|--expression)/.test(value));
  if (/^(node|python\d?|python3\.\d+|perl|ruby|bash|sh)$/.test(name) && inlineCode({ name, words })) return [];
  return hasScript ? operands.slice(1) : operands;
}

/** How a command treats each of its operands. */
function accessMode({ name, words }: ShellCommand): (operand: ShellWord) => PathAccess['mode'] {
  const has = (option: RegExp) => words.some(({ value }) => option.test(value));
  if (/^(find|fd|locate|tree)$/.test(name) || (/grep$|^(rg|ls)$/.test(name) && has(/^-\w*[rR]\w*$|^--recursive$/))) return () => 'search';
  const target = words[words.length - 1];
  if (/^(cp|mv|ln|install|rsync)$/.test(name)) return (operand) => (operand === target ? 'write' : 'read');
  const isWriter = /^(tee|touch|mkdir|rm|rmdir|chmod|chown|truncate|patch)$/.test(name) || (name === 'sed' && has(/^-i/));
  return () => (isWriter ? 'write' : 'read');
}

function inlineCode({ name, words }: Pick<ShellCommand, 'name' | 'words'>): ShellWord | undefined {
  const flag = /^node$/.test(name) ? /^(-e|-p|-pe|--eval|--print)$/ : /^-\w*[ce]$/;
  const option = words.findIndex(({ value }) => flag.test(value));
  return option < 0 ? undefined : words[option + 1];
}

/** Quoted absolute or upward paths in code for an interpreter; exact spans where the shell left the code verbatim. */
function codePaths(command: ShellCommand): { value: string; start: number; end: number }[] {
  if (!/^(node|python[\d.]*|perl|ruby)$/.test(command.name)) return [];
  return [inlineCode(command), command.heredoc].flatMap((code) =>
    code
      ? [...code.value.matchAll(/(['"`])((?:\/|\.\.\/)[^'"`\s]+)\1/g)].map((match) => {
          const at = code.contentStart === undefined ? undefined : code.contentStart + match.index + 1;
          const value = match[2] ?? '';
          return at === undefined ? { value, start: code.start, end: code.end } : { value, start: at, end: at + value.length };
        })
      : [],
  );
}
