import type { ShellWord } from './shell/shell-command.js';

/** Index of git's verb among its words: the options before it may take values. */
export function gitVerb(words: readonly ShellWord[]): number {
  let at = 0;
  while (words[at]?.value.startsWith('-'))
    at += /^(-C|-c|--git-dir|--work-tree|--namespace|--exec-path)$/.test(words[at]?.value ?? '') ? 2 : 1;
  return at;
}
