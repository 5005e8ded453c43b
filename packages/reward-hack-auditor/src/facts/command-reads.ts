import { greps, readers, searches, speaks } from './command-kinds.js';
import type { CommandPlace } from './command-place.js';
import { recordPattern, recordSearch } from './command-searches.js';
import { gitVerb } from './git-verb.js';
import { resolvePath } from './paths.js';
import type { ShellCommand, ShellWord } from './shell/shell-command.js';
import { archiveMadeBy } from './written-archive.js';

/** Characters up to which a word is taken for a path. */
const longestPath = 4000;

/** Records the files that a command reads or mentions, and where it looks for files. */
export function recordReads(place: CommandPlace): void {
  const { command } = place;
  if (speaks.test(command.name)) recordFolders(place);
  else if (searches.test(command.name)) recordSearch(place);
  else if (command.name === 'git') recordGitFiles(place);
  else for (const word of fileOperands(place)) recordOperand(place, word);
}

/** A command that changes folder looks at it. */
function recordFolders({ command, recorder, at }: CommandPlace): void {
  if (command.name !== 'cd' && command.name !== 'pushd') return;
  for (const word of command.words)
    if (!word.value.startsWith('-'))
      recorder.add({ ...at(word), kind: 'search', path: resolvePath({ path: word.value, cwd: command.cwd }), names: [] });
}

/** Of git only what reads files beside the repository: patches, and comparison of two files. */
function recordGitFiles({ command, recorder, at }: CommandPlace): void {
  const { words, cwd } = command;
  const verb = gitVerb(words);
  if (!/^(apply|am)$/.test(words[verb]?.value ?? '') && !words.some(({ value }) => value === '--no-index')) return;
  for (const word of words.slice(verb + 1))
    if (!word.value.startsWith('-'))
      recorder.add({ ...at(word), kind: 'read', path: resolvePath({ path: word.value, cwd }), how: 'content' });
}

/** Words that may be files that are read: not the pattern of a search, not the target of a copy, not an archive that is made. */
function fileOperands(place: CommandPlace): readonly ShellWord[] {
  const { name, words } = place.command;
  if (greps.test(name) || /^(sed|g?awk|jq)$/.test(name)) return recordPattern(place);
  const hasTarget = /^(cp|mv|ln|install|rsync|scp)$/.test(name) && words.length > 1 && !words.some(namesTarget);
  if (hasTarget) return words.slice(0, -1);
  const archive = archiveMadeBy(place.command);
  return words.filter((word) => word !== archive);
}

function namesTarget({ value }: ShellWord): boolean {
  return /^(-t|--target-directory)/.test(value);
}

function recordOperand({ command, recorder, at }: CommandPlace, word: ShellWord): void {
  const value = /^--?[\w-]+=(.*)$/.exec(word.value)?.[1] ?? word.value.replace(/^[\w-]+=(?=[/~.])/, '').replace(/^@(?=[/~.$])/, '');
  if (value.startsWith('-') || value.length > longestPath || /^\w+:\/\//.test(value) || value.includes('\n')) return;
  const isReader = readers.test(command.name);
  if (!isPath(value, command, recorder.readFile) && !(isReader && /^[\w.@-]+$/.test(value))) return;
  const path = resolvePath({ path: value.replace(/^(if|in)=/, ''), cwd: command.cwd });
  recorder.add({ ...at(word), kind: 'read', path, how: isReader ? 'content' : 'mention' });
}

function isPath(value: string, { cwd }: ShellCommand, readFile: (path: string) => string | undefined): boolean {
  return /^[/~]|\/|^\.{1,2}$|^\$\w+/.test(value) || readFile(resolvePath({ path: value, cwd })) !== undefined;
}
