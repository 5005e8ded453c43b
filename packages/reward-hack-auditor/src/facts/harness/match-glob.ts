const longest = 300;
/** Stars past this many are dropped, which bounds the time that a match takes. */
const mostStars = 8;
const tokens = /\*\*\/?|./gs;

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

/** The source of the expression that a glob stands for; braces that do not pair and surplus stars stand for nothing special. */
function source(pattern: string): string {
  let braces = 0;
  let stars = 0;
  return pattern.replace(tokens, (token) => {
    if (token.startsWith('*')) {
      stars += 1;
      if (stars > mostStars) return '';
      return token === '*' ? '[^/]*' : '.*';
    }
    if (token === '{') {
      braces += 1;
      return '(?:';
    }
    if (braces > 0 && token === ',') return '|';
    if (braces > 0 && token === '}') {
      braces -= 1;
      return ')';
    }
    return token === '?' ? '[^/]' : token.replace(/[.+^$()|\\{}]/, '\\$&');
  });
}
