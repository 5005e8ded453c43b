import type { CommandWrite, ReadFile } from './command-write.js';
import { gitVerb } from './git-verb.js';
import { resolvePath } from './paths.js';
import type { ShellCommand, ShellWord } from './shell/shell-command.js';
import { copies } from './written-by-copy.js';

/** The files that git writes or removes in the working tree and among its own settings. */
export function byGit(command: ShellCommand, readFile: ReadFile): CommandWrite[] {
  const at = gitVerb(command.words);
  const verb = command.words[at]?.value ?? '';
  const rest = command.words.slice(at + 1);
  const operands = rest.filter(({ value }) => !/^-/.test(value));
  const path = (word: ShellWord) => resolvePath({ path: word.value, cwd: command.cwd });
  switch (verb) {
    case 'rm':
      return rest.some(({ value }) => value === '--cached')
        ? []
        : operands.map((word) => ({ path: path(word), how: 'delete', text: undefined, word }));
    case 'mv':
      return copies({ ...command, name: 'mv', words: rest }, operands, readFile);
    case 'apply':
    case 'am':
      return patched(command, command.stdin?.text ?? operands.map((word) => readFile(path(word)) ?? '').join('\n'));
    case 'restore':
    case 'checkout':
      return checkedOut({ command, verb, words: rest, readFile });
    case 'config':
      return operands.length > 1 ? [{ path: gitFile(command, rest, 'config'), how: 'edit', text: undefined }] : [];
    case 'update-index':
      return [{ path: gitFile(command, [], 'index'), how: 'edit', text: undefined }];
    default:
      return [];
  }
}

/** Files that get the text of a revision; a checkout without `--` has such only where an operand is a file. */
function checkedOut(options: { command: ShellCommand; verb: string; words: readonly ShellWord[]; readFile: ReadFile }): CommandWrite[] {
  const { command, verb, words, readFile } = options;
  const operands = words.filter(({ value }) => !/^-/.test(value));
  const separator = words.findIndex(({ value }) => value === '--');
  const path = (word: ShellWord) => resolvePath({ path: word.value, cwd: command.cwd });
  const isOfFiles =
    verb === 'restore' || separator >= 0 || operands.some((word) => /[./]/.test(word.value) && readFile(path(word)) !== undefined);
  if (!isOfFiles) return [];
  const from = separator > 0 ? words[0]?.value : undefined;
  const files = separator >= 0 ? words.slice(separator + 1) : operands;
  return files.map((word) => ({ path: path(word), how: 'checkout', text: undefined, from, word }));
}

/** The files that a patch changes. */
export function patched(command: ShellCommand, text: string): CommandWrite[] {
  const names = [...text.matchAll(/^\+\+\+ (?:b\/)?([^\t\n]+)/gm)].slice(0, 200).map(([, name]) => name ?? '');
  return names
    .filter((name) => name !== '/dev/null')
    .map((name) => ({ path: resolvePath({ path: name, cwd: command.cwd }), how: 'patch' as const, text: undefined }));
}

function gitFile(command: ShellCommand, words: readonly ShellWord[], name: string): string {
  if (words.some(({ value }) => value === '--global')) return '~/.gitconfig';
  if (words.some(({ value }) => value === '--system')) return '/etc/gitconfig';
  return resolvePath({ path: `.git/${name}`, cwd: command.cwd });
}
