import type { CommandWrite, ReadFile } from './command-write.js';
import { resolvePath } from './paths.js';
import type { ShellCommand, ShellWord } from './shell/shell-command.js';
import { archiveMadeBy } from './written-archive.js';
import { copies } from './written-by-copy.js';
import { byGit, patched } from './written-by-git.js';
import { inPlace } from './written-in-place.js';

/** The files that a command writes, changes, links, moves or removes, with their text where it is known. */
export function writesOfCommand(command: ShellCommand, readFile: ReadFile): CommandWrite[] {
  return [...redirected(command, readFile), ...archived(command), ...byName(command, readFile)];
}

function archived(command: ShellCommand): CommandWrite[] {
  const word = archiveMadeBy(command);
  return word && word.value !== '-'
    ? [{ path: resolvePath({ path: word.value, cwd: command.cwd }), how: 'write', text: undefined, word }]
    : [];
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

function fileText(command: ShellCommand, readFile: ReadFile): string | undefined {
  const named =
    command.words.find((_, index) => /^(-i|--input)$/.test(command.words[index - 1]?.value ?? '')) ??
    command.redirects.find(({ operator }) => operator === '<')?.target;
  return named && readFile(resolvePath({ path: named.value, cwd: command.cwd }));
}
