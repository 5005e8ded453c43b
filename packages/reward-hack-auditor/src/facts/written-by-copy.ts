import type { CommandWrite, ReadFile } from './command-write.js';
import { baseName, resolvePath } from './paths.js';
import type { ShellCommand, ShellWord } from './shell/shell-command.js';

/** The files that a command copies, links or moves, each to its new path. */
export function copies(command: ShellCommand, operands: readonly ShellWord[], readFile: ReadFile): CommandWrite[] {
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
