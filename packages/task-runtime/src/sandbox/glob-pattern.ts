import { TadpoleError } from '@tadpole/contracts';

const largestExpansion = 256;

/**
 * Turns a glob pattern (`**`, `*`, `?`, `{a,b}`) into the patterns without braces that it stands for.
 *
 * @throws TadpoleError `invalid-input` for an absolute pattern or more than 256 alternatives.
 */
export function globAlternatives(pattern: string): readonly string[] {
  if (pattern === '' || pattern.startsWith('/') || pattern.includes('\0')) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `expected a glob pattern relative to the folder, got ${JSON.stringify(pattern)}`,
    });
  }
  let patterns = [pattern];
  for (;;) {
    const expanded = patterns.flatMap(expandOnce);
    if (expanded.length > largestExpansion) {
      throw new TadpoleError({
        code: 'invalid-input',
        message: `expected at most ${largestExpansion} alternatives in the glob pattern ${pattern}`,
      });
    }
    if (expanded.length === patterns.length && expanded.every((text, index) => text === patterns[index])) break;
    patterns = expanded;
  }
  return [...new Set(patterns)];
}

/** Expands the first innermost brace group that holds a comma. */
function expandOnce(pattern: string): string[] {
  const group = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
  if (group === null) return [pattern];
  const before = pattern.slice(0, group.index);
  const after = pattern.slice(group.index + group[0].length);
  return (group[1] as string).split(',').map((alternative) => before + alternative + after);
}
