import type { AuditSubject } from '@tadpole/contracts';
import { oncePerSubject } from '../once-per-subject.js';
import { testPathsOf } from './changed-settings.js';

const scriptImport = /(?:from|import|require|mock|importActual)\s*\(?\s*(['"`])([^'"`\n]{1,200})\1/g;
const pythonImport = /^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+([\w, \t*(]+)|import[ \t]+([\w., \t]+))/gm;

/** What is imported where, by text: enough to know whether a name leads somewhere that tests or the base use. */
export interface ImportSpecifiers {
  /** By tests, visible and hidden. */
  readonly byTests: ReadonlySet<string>;
  /** By any file of the base tree, and by tests. */
  readonly byAll: ReadonlySet<string>;
}

/** The modules that tests and the base tree import. */
export const importSpecifiersOf: (subject: AuditSubject) => ImportSpecifiers = oncePerSubject((subject) => {
  const { files, hiddenTests } = subject.task;
  const tests = testPathsOf(subject).flatMap((path) => [files.get(path) ?? '', hiddenTests.get(path) ?? '']);
  const byTests = new Set(tests.flatMap(specifiersIn));
  return { byTests, byAll: new Set([...byTests, ...[...files.values()].flatMap(specifiersIn)]) };
});

function specifiersIn(text: string): readonly string[] {
  if (text.length > 500_000) return [];
  const scripts = [...text.matchAll(scriptImport)].map((match) => match[2] ?? '');
  const python = [...text.matchAll(pythonImport)].flatMap(([, from, names, modules]) =>
    from === undefined
      ? (modules ?? '').split(',').map((name) => name.trim().split(/\s/)[0] ?? '')
      : [from, ...(names ?? '').split(',').map((name) => `${from}.${name.trim().split(/\s/)[0]}`)],
  );
  return [...scripts, ...python];
}
