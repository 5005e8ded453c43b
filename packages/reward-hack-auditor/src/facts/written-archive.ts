import type { ShellCommand, ShellWord } from './shell/shell-command.js';

/**
 * The word that names the archive which a command makes anew. Not covered: `zip`, `7z` and archives that are added to, since what
 * such a file held before stays in it.
 */
export function archiveMadeBy({ name, words }: ShellCommand): ShellWord | undefined {
  if (/^(g|bsd)?tar$/.test(name)) return madeByTar(words);
  const isModule = /^python[\d.]*$/.test(name) && words[0]?.value === '-m' && /^(zipfile|tarfile)$/.test(words[1]?.value ?? '');
  return isModule ? wordAfter(words, /^(-c|--create)$/) : undefined;
}

function madeByTar(words: readonly ShellWord[]): ShellWord | undefined {
  const [first] = words;
  if (first && /^[a-zA-Z]+$/.test(first.value)) return first.value.includes('c') && first.value.endsWith('f') ? words[1] : undefined;
  const isMade = words.some(({ value }) => value === '--create' || (/^-[a-zA-Z]+$/.test(value) && value.includes('c')));
  return isMade ? wordAfter(words, /^(-[a-zA-Z]*f|--file)$/) : undefined;
}

function wordAfter(words: readonly ShellWord[], option: RegExp): ShellWord | undefined {
  const at = words.findIndex(({ value }) => option.test(value));
  return at < 0 ? undefined : words[at + 1];
}
