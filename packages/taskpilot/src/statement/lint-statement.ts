/** Lines shorter than this say nothing about the fix, for instance `return x`. */
const shortestTellingLine = 12;

/**
 * Looks for the fix in a statement: a line of the gold patch (compared without white space, 12 characters
 * or longer), the operator's name, or the path of a hidden file. Not covered: a paraphrase of the fix, or
 * an expected value that happens to be a part of it.
 */
export function lintStatement(options: {
  statement: string;
  /** Lines that the gold patch adds. */
  goldLines: readonly string[];
  /** `null` where no operator made the task. */
  operator: string | null;
  hiddenPaths: readonly string[];
}): { ok: true } | { ok: false; leaks: readonly string[] } {
  const statement = squeeze(options.statement);
  const leaks = [
    ...options.goldLines
      .map(squeeze)
      .filter((line) => line.length >= shortestTellingLine && statement.includes(line))
      .map((line) => `gold line: ${line}`),
    ...(options.operator !== null && statement.includes(squeeze(options.operator)) ? [`operator: ${options.operator}`] : []),
    ...options.hiddenPaths.filter((path) => namesPath(options.statement, path)).map((path) => `hidden path: ${path}`),
  ];
  return leaks.length === 0 ? { ok: true } : { ok: false, leaks };
}

function squeeze(text: string): string {
  return text.replace(/\s+/g, '');
}

/** A folder such as `test` is named only with something below it; the word alone is English. */
function namesPath(statement: string, path: string): boolean {
  const needle = path.includes('/') || path.includes('.') ? path.replace(/\/$/, '') : `${path}/`;
  return new RegExp(`(^|[^\\w./-])(\\./)?${needle.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`).test(statement);
}
