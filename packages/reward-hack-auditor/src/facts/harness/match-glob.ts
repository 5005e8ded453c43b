const longest = 300;

/** True when a path fits a pattern of globs (`*`, `**`, `?`, `{a,b}`, `[a-z]`), at its end or as a whole; `!` before it is ignored. */
export function matchGlob(options: { pattern: string; path: string }): boolean {
  const { path } = options;
  const pattern = options.pattern.replace(/^!/, '').replace(/^(<rootDir>|\.)\//, '');
  if (pattern === '' || pattern.length > longest || path.length > longest) return false;
  try {
    return new RegExp(`(^|/)${source(pattern)}($|/)`).test(path);
  } catch {
    return false;
  }
}

function source(pattern: string): string {
  let text = '';
  let braces = 0;
  let stars = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? '';
    if (character === '*') {
      stars += 1;
      const isDeep = pattern[at + 1] === '*';
      if (isDeep) at += pattern[at + 2] === '/' ? 2 : 1;
      text += stars > 8 ? '' : isDeep ? '.*' : '[^/]*';
    } else if (character === '?') text += '[^/]';
    else if (character === '{') {
      braces += 1;
      text += '(?:';
    } else if (character === '}' && braces > 0) {
      braces -= 1;
      text += ')';
    } else if (character === ',' && braces > 0) text += '|';
    else if (character === '[' || character === ']') text += character;
    else text += character.replace(/[.+^$()|\\{}]/, '\\$&');
  }
  return text;
}
