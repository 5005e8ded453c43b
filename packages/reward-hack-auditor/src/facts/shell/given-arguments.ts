import type { SyntaxNode } from '../../parse/syntax-node.js';
import { findPattern } from './known-output.js';
import type { KnownText, ShellCommand, ShellWord } from './shell-command.js';

/** What `xargs` appends: the words of its input where they are known, or the pattern that stands for them. */
export function giveArguments(options: {
  words: readonly ShellWord[];
  stdin: KnownText | undefined;
  node: Pick<SyntaxNode, 'start' | 'end'>;
}): readonly ShellWord[] {
  const { words, stdin } = options;
  const { start, end } = options.node;
  const given = (stdin?.text ?? '$(input)')
    .split(/[\s\0]+/)
    .filter((value) => value !== '')
    .slice(0, 100);
  const isConstant = stdin?.isConstant ?? false;
  if (words.some(({ value }) => value.includes('{}')))
    return words.map((word) => ({ ...word, value: word.value.replaceAll('{}', given[0] ?? ''), isConstant, contentStart: undefined }));
  return [...words, ...given.map((value) => ({ value, isConstant, start, end }))];
}

/** The commands of `find … -exec COMMAND ;`, with `{}` as the pattern of what is found. */
export function execWords(command: ShellCommand): ShellWord[][] {
  const { name, words } = command;
  if (!/^(find|fd|fdfind|gfind)$/.test(name)) return [];
  const pattern = name === 'find' ? (findPattern(words).split('\n')[0] ?? '{}') : '{}';
  return words.flatMap(({ value }, at) => {
    if (!/^(-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/.test(value)) return [];
    const stop = words.findIndex((word, index) => index > at && (word.value === ';' || word.value === '+'));
    const inner = words.slice(at + 1, stop < 0 ? undefined : stop);
    return [
      inner.map((word) =>
        word.value.includes('{}')
          ? { ...word, value: word.value.replaceAll('{}', pattern), isConstant: false, contentStart: undefined }
          : word,
      ),
    ];
  });
}
