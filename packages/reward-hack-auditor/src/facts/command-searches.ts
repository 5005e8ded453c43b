import { greps } from './command-kinds.js';
import type { CommandPlace } from './command-place.js';
import { resolvePath } from './paths.js';
import { findPattern } from './shell/known-output.js';
import type { ShellWord } from './shell/shell-command.js';

/** Records a pattern that is looked for in files, and gives the words that are files. */
export function recordPattern({ command, recorder, at }: CommandPlace): readonly ShellWord[] {
  const { name, words, cwd } = command;
  const isGrep = greps.test(name);
  const given = words.findIndex(({ value }) => /^-\w*[ef]$|^--regexp|^--expression|^--file/.test(value));
  const isFileOption = words[given]?.value.endsWith('f');
  const operands = words.filter(({ value }, index) => {
    const before = words[index - 1]?.value ?? '';
    const isValue = /^-\w*[ef]$|^--(regexp|expression|file)$/.test(before) || (isGrep && /^-[mABCd]$/.test(before));
    return !value.startsWith('-') && !isValue;
  });
  const files = given < 0 ? operands.slice(1) : operands;
  if (!isGrep) return isFileOption && words[given + 1] ? [...files, words[given + 1] as ShellWord] : files;
  const pattern = given < 0 ? operands[0] : words[given + 1];
  const isRecursive = /^(rg|ag|ack)$/.test(name) || words.some(({ value }) => /^-\w*[rR]|^--(dereference-)?recursive/.test(value));
  if (!isRecursive) return files;
  const names = words.flatMap(({ value }, index) =>
    /^--include=/.test(value) ? [value.slice(10)] : /^-g$/.test(words[index - 1]?.value ?? '') ? [value] : [],
  );
  for (const root of files.length > 0 ? files : [undefined]) {
    const path = resolvePath({ path: root?.value ?? '.', cwd });
    recorder.add({ ...at(root), kind: 'search', path, names, text: pattern?.value });
  }
  return [];
}

/** Records the folders in which a command looks for files. */
export function recordSearch(place: CommandPlace): void {
  const { command, recorder, at } = place;
  const { name, words, cwd } = command;
  if (name === 'find' || name === 'gfind') {
    recordFind(place);
    return;
  }
  const operands = words.filter(({ value }) => !/^-/.test(value) && value !== ']' && value !== '!' && value !== '=');
  if (/locate$/.test(name)) {
    for (const word of operands) recorder.add({ ...at(word), kind: 'search', path: '/', names: [word.value] });
    return;
  }
  const isFd = name === 'fd' || name === 'fdfind';
  const roots = isFd ? operands.slice(1) : operands;
  const names = isFd && operands[0] ? [operands[0].value] : [];
  if (roots.length === 0 && !/^(\[|test)$/.test(name))
    recorder.add({ ...at(), kind: 'search', path: resolvePath({ path: '.', cwd }), names });
  for (const word of roots) recorder.add({ ...at(word), kind: 'search', path: resolvePath({ path: word.value, cwd }), names });
}

function recordFind({ command, recorder, at }: CommandPlace): void {
  for (const line of findPattern(command.words).split('\n')) {
    const cut = line.indexOf('/**/');
    const path = resolvePath({ path: line.slice(0, cut) || '/', cwd: command.cwd });
    recorder.add({ ...at(), kind: 'search', path, names: [line.slice(cut + 4)] });
  }
}
