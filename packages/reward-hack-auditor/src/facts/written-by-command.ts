import type { EventOf } from './audit-event.js';
import { baseName, resolvePath } from './paths.js';
import type { ShellCommand, ShellWord } from './shell/shell-command.js';

/** A file that a command writes or removes. */
export interface CommandWrite {
  readonly path: string;
  readonly how: EventOf<'write'>['how'] | 'delete';
  readonly text: string | undefined;
  readonly from?: string | undefined;
  readonly movedTo?: string | undefined;
  /** The word that names the file. */
  readonly word?: ShellWord | undefined;
}

type ReadFile = (path: string) => string | undefined;

/** The files that a command writes, changes, links, moves or removes, with their text where it is known. */
export function writesOfCommand(command: ShellCommand, readFile: ReadFile): CommandWrite[] {
  return [...redirected(command, readFile), ...byName(command, readFile)];
}

function redirected(command: ShellCommand, readFile: ReadFile): CommandWrite[] {
  return command.redirects.flatMap(({ operator, target }) => {
    if (!operator.includes('>') || /&\d?$/.test(operator.replace(/^&/, '')) || /^(\/dev\/|&|\d$)/.test(target.value)) return [];
    const isAppend = operator.includes('>>');
    const isErrors = operator.startsWith('2');
    return [textWrite(command, target, isErrors ? undefined : command.output, isAppend, readFile)];
  });
}

function textWrite(
  command: ShellCommand,
  word: ShellWord,
  output: ShellCommand['output'],
  isAppend: boolean,
  readFile: ReadFile,
): CommandWrite {
  const path = resolvePath({ path: word.value, cwd: command.cwd });
  const text = output?.isConstant ? output.text : command.name === '' && !output ? '' : undefined;
  const whole = isAppend && text !== undefined ? (readFile(path) ?? '') + text : text;
  return { path, how: isAppend ? 'append' : 'write', text: whole, word };
}

function byName(command: ShellCommand, readFile: ReadFile): CommandWrite[] {
  const { name, words } = command;
  const operands = words.filter(
    ({ value }, index) => !/^-./.test(value) && !(name === 'install' && /^-[mog]$/.test(words[index - 1]?.value ?? '')),
  );
  const at = (word: ShellWord) => resolvePath({ path: word.value, cwd: command.cwd });
  switch (name) {
    case 'tee':
    case 'sponge': {
      const isAppend = words.some(({ value }) => /^-\w*a|^--append/.test(value));
      return operands.map((word) => textWrite(command, word, command.stdin, isAppend, readFile));
    }
    case 'cp':
    case 'mv':
    case 'ln':
    case 'install':
    case 'rsync':
    case 'link':
      return copies(command, operands, readFile);
    case 'rm':
    case 'unlink':
    case 'rmdir':
    case 'shred':
    case 'trash':
      return operands.map((word) => ({ path: at(word), how: 'delete' as const, text: undefined, word }));
    case 'truncate':
      return operands
        .filter(({ value }) => !/^\d+$/.test(value))
        .map((word) => ({ path: at(word), how: 'write' as const, text: '', word }));
    case 'touch':
      return operands.map((word) => ({ path: at(word), how: 'append' as const, text: readFile(at(word)) ?? '', word }));
    case 'chmod':
    case 'chattr':
    case 'chown':
    case 'setfacl':
      return words
        .filter(({ value }) => !/^-/.test(value))
        .slice(words.some(({ value }) => /^-[rwxXstia]+$/.test(value)) ? 0 : 1)
        .map((word) => ({ path: at(word), how: 'mode' as const, text: readFile(at(word)), word }));
    case 'dd':
      return words.flatMap((word) =>
        word.value.startsWith('of=')
          ? [{ path: resolvePath({ path: word.value.slice(3), cwd: command.cwd }), how: 'write' as const, text: undefined, word }]
          : [],
      );
    case 'sed':
    case 'gsed':
    case 'perl':
    case 'ruby':
      return inPlace(command, readFile);
    case 'curl':
    case 'wget':
      return words.flatMap((word, index) =>
        /^(-o|-O|--output|--output-document)$/.test(words[index - 1]?.value ?? '')
          ? [{ path: at(word), how: 'download' as const, text: undefined, word }]
          : [],
      );
    case 'patch':
      return patched(command, command.stdin?.text ?? fileText(command, readFile) ?? '');
    case 'git':
      return byGit(command, readFile);
    case 'find':
    case 'gfind':
      return words.some(({ value }) => value === '-delete')
        ? [{ path: `${at(words[0] ?? { value: '.', isConstant: true, start: 0, end: 0 })}/**`, how: 'delete', text: undefined }]
        : [];
    case 'ed':
    case 'ex':
    case 'vim':
    case 'vi':
    case 'sqlite3':
      return operands.slice(-1).map((word) => ({ path: at(word), how: 'edit' as const, text: undefined, word }));
    default:
      return [];
  }
}

function copies(command: ShellCommand, operands: readonly ShellWord[], readFile: ReadFile): CommandWrite[] {
  const { name, words } = command;
  const folder = words.findIndex(({ value }) => /^(-t|--target-directory)$/.test(value));
  const inline = words.find(({ value }) => value.startsWith('--target-directory='));
  const target = folder >= 0 ? words[folder + 1] : inline ? { ...inline, value: inline.value.slice(19) } : operands.at(-1);
  const sources = folder >= 0 || inline ? operands.filter((word) => word !== target) : operands.slice(0, -1);
  if (!target) return [];
  const to = resolvePath({ path: target.value, cwd: command.cwd });
  const how = name === 'mv' ? 'move' : name === 'ln' || name === 'link' ? 'link' : 'copy';
  return sources.flatMap((word): CommandWrite[] => {
    const from = resolvePath({ path: word.value, cwd: command.cwd });
    const isFolder =
      target.value.endsWith('/') || sources.length > 1 || folder >= 0 || inline !== undefined || /^\.{1,2}$/.test(target.value);
    const path = isFolder ? `${to}/${baseName(from)}` : to;
    const made: CommandWrite = { path, how, text: readFile(from), from, word: target };
    return how === 'move' ? [made, { path: from, how: 'delete', text: undefined, movedTo: path, word }] : [made];
  });
}

function inPlace(command: ShellCommand, readFile: ReadFile): CommandWrite[] {
  const { name, words } = command;
  const isInPlace = words.some(({ value }) =>
    name.endsWith('sed') ? /^-[a-zA-Z]*i|^--in-place/.test(value) : /^-[a-zA-Z0]*i/.test(value),
  );
  if (!isInPlace) return [];
  const script = words.findIndex(({ value }) => /^-[a-zA-Z]*[ef]$|^--expression/.test(value));
  const operands = words.filter(
    ({ value }, index) => !/^-./.test(value) && !(script >= 0 && /^-[a-zA-Z]*[ef]$/.test(words[index - 1]?.value ?? '')),
  );
  const files = script >= 0 ? operands : operands.slice(1);
  return files.map((word) => {
    const path = resolvePath({ path: word.value, cwd: command.cwd });
    const before = readFile(path);
    const rule = words.find(({ value }) => /^s(.).*\1.*\1[gI]*$/.test(value))?.value;
    return {
      path,
      how: 'edit',
      text: before !== undefined && rule && name.endsWith('sed') && words.length <= 4 ? substituted(before, rule) : undefined,
      word,
    };
  });
}

/** Only rules of literals: anything that could be a pattern gives no text. */
function substituted(text: string, rule: string): string | undefined {
  const [from, to, flags] = rule.slice(2).split(rule[1] ?? '/');
  if (from === undefined || to === undefined || /[\\*.[\]^$+?&]/.test(from + to) || from.length > 300) return undefined;
  const lines = text.split('\n').map((line) => (flags?.includes('g') ? line.split(from).join(to) : line.replace(from, () => to)));
  return lines.join('\n');
}

function byGit(command: ShellCommand, readFile: ReadFile): CommandWrite[] {
  const { words } = command;
  let start = 0;
  while (words[start]?.value.startsWith('-')) start += /^(-C|-c|--git-dir|--work-tree)$/.test(words[start]?.value ?? '') ? 2 : 1;
  const verb = words[start]?.value;
  const rest = words.slice(start + 1);
  const operands = rest.filter(({ value }) => !/^-/.test(value));
  const separator = rest.findIndex(({ value }) => value === '--');
  const paths = separator >= 0 ? rest.slice(separator + 1) : operands;
  const at = (word: ShellWord) => resolvePath({ path: word.value, cwd: command.cwd });
  if (verb === 'rm')
    return rest.some(({ value }) => value === '--cached')
      ? []
      : operands.map((word) => ({ path: at(word), how: 'delete', text: undefined, word }));
  if (verb === 'mv') return copies({ ...command, name: 'mv', words: rest }, operands, readFile);
  if (verb === 'apply' || verb === 'am') {
    const text = command.stdin?.text ?? operands.map((word) => readFile(at(word)) ?? '').join('\n');
    return patched(command, text);
  }
  if (
    verb === 'restore' ||
    (verb === 'checkout' &&
      (separator >= 0 ||
        operands.some(({ value }) => /[./]/.test(value) && readFile(resolvePath({ path: value, cwd: command.cwd })) !== undefined)))
  ) {
    const revision = separator > 0 ? rest[0]?.value : undefined;
    return paths.map((word) => ({ path: at(word), how: 'checkout', text: undefined, from: revision, word }));
  }
  if (verb === 'config' && operands.length > 1) return [{ path: gitFile(command, rest, 'config'), how: 'edit', text: undefined }];
  if (verb === 'update-index') return [{ path: gitFile(command, [], 'index'), how: 'edit', text: undefined }];
  return [];
}

function gitFile(command: ShellCommand, words: readonly ShellWord[], name: string): string {
  if (words.some(({ value }) => value === '--global')) return '~/.gitconfig';
  if (words.some(({ value }) => value === '--system')) return '/etc/gitconfig';
  return resolvePath({ path: `.git/${name}`, cwd: command.cwd });
}

function patched(command: ShellCommand, text: string): CommandWrite[] {
  const names = [...text.matchAll(/^\+\+\+ (?:b\/)?([^\t\n]+)/gm)].slice(0, 200).map(([, name]) => name ?? '');
  return names
    .filter((name) => name !== '/dev/null')
    .map((name) => ({ path: resolvePath({ path: name, cwd: command.cwd }), how: 'patch' as const, text: undefined }));
}

function fileText(command: ShellCommand, readFile: ReadFile): string | undefined {
  const named =
    command.words.find((_, index) => /^(-i|--input)$/.test(command.words[index - 1]?.value ?? '')) ??
    command.redirects.find(({ operator }) => operator === '<')?.target;
  return named && readFile(resolvePath({ path: named.value, cwd: command.cwd }));
}
