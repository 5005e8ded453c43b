import type { CommandWrite, ReadFile } from './command-write.js';
import { resolvePath } from './paths.js';
import type { ShellCommand } from './shell/shell-command.js';

/** The files that an editor of streams changes in place. */
export function inPlace(command: ShellCommand, readFile: ReadFile): CommandWrite[] {
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
