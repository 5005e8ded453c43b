import { relativePathSchema, type TestRunner } from '@tadpole/contracts';

/** A test id that would never be found in a report, and why. */
export interface TestIdProblem {
  readonly id: string;
  readonly problem: string;
}

/** Names of pytest: identifiers joined by `::`, and parameters in brackets at the very end. */
const pytestName = /^[\p{ID_Start}_][\p{ID_Continue}]*(::[\p{ID_Start}_][\p{ID_Continue}]*)*(\[[\s\S]*\])?$/u;

/**
 * Finds test ids that a runner cannot emit: without a file, of another runner's form, given twice, and for pytest ids
 * that were cut off, as log parsers do at a blank or at a length. A task that names one could never be solved.
 */
export function lintTestIds(options: { ids: readonly string[]; runner: TestRunner }): readonly TestIdProblem[] {
  const { ids, runner } = options;
  const seen = new Set<string>();
  return ids.flatMap((id) => {
    const problem = seen.has(id) ? 'it is named twice' : problemOf(id, runner);
    seen.add(id);
    return problem === undefined ? [] : [{ id, problem }];
  });
}

function problemOf(id: string, runner: TestRunner): string | undefined {
  const at = id.indexOf('::');
  if (at < 0) return 'it names no file: expected file::name';
  const [file, name] = [id.slice(0, at), id.slice(at + 2)];
  if (!relativePathSchema.safeParse(file).success || file !== file.trim()) return 'its file is no path in the workspace';
  if (name === '') return 'it names no test';
  if (runner !== 'pytest') return undefined;
  if (!file.endsWith('.py')) return 'its file is no Python file';
  if (pytestName.test(name)) return undefined;
  return name.includes('[') && !name.endsWith(']') ? 'it was cut off: its parameters have no end' : 'pytest gives no test such a name';
}
