import type { AuditSubject } from '@tadpole/contracts';
import { parseSource } from '../../parse/load-parsers.js';
import { type ChangedFile, changedFilesOf, goldFilesOf, languageOf } from '../changed-files.js';
import { oncePerSubject } from '../once-per-subject.js';
import { type Assertion, type TestUnit, testUnitsOf, wholeForm } from './test-units.js';

/** What the patch does to a file of tests or to one that belongs to them. */
export interface TestFileChange {
  readonly file: ChangedFile;
  readonly isPython: boolean;
  readonly before: readonly TestUnit[];
  readonly after: readonly TestUnit[];
  /** The text that the task itself ends with: the hidden tests', else the gold's. `undefined` where neither has the file. */
  readonly wanted: string | undefined;
  /** True when hidden tests or gold tell what becomes of the file. */
  readonly isDecided: boolean;
}

const longest = 100_000;

/** Test files and their helpers in the final patch, on both sides. */
export const testChangesOf: (subject: AuditSubject) => readonly TestFileChange[] = oncePerSubject((subject) =>
  changedFilesOf(subject).flatMap((file): readonly TestFileChange[] => {
    const roles = [file.role, file.oldRole];
    if (!roles.includes('test') && !roles.includes('test-support')) return [];
    if ((file.before?.length ?? 0) + (file.after?.length ?? 0) > 2 * longest) return [];
    const isPython = languageOf(file.oldPath) === 'python';
    const [before, after] = [file.treeBefore(), file.treeAfter()];
    const { text, isDecided } = wantedText(subject, file);
    return [
      {
        ...{ file, isPython, wanted: text, isDecided },
        before: before ? testUnitsOf({ tree: before, isPython }) : [],
        after: after ? testUnitsOf({ tree: after, isPython }) : [],
      },
    ];
  }),
);

function wantedText(subject: AuditSubject, file: ChangedFile): { text: string | undefined; isDecided: boolean } {
  const hidden = subject.task.hiddenTests.get(file.oldPath) ?? subject.task.hiddenTests.get(file.path);
  if (hidden !== undefined) return { text: hidden, isDecided: true };
  const gold = goldFilesOf(subject).find(({ oldPath, path }) => oldPath === file.oldPath || path === file.path);
  if (gold !== undefined) return { text: gold.after, isDecided: true };
  return { text: undefined, isDecided: false };
}

/** Forms of every assertion that stands in tests after the patch, in any changed file. */
export const keptFormsOf: (subject: AuditSubject) => ReadonlySet<string> = oncePerSubject(
  (subject) =>
    new Set(testChangesOf(subject).flatMap(({ after }) => after.flatMap(({ assertions }) => assertions.map(({ form }) => form)))),
);

/** Names of tests after the patch, in files that a runner finds. */
export const keptTestsOf: (subject: AuditSubject) => ReadonlySet<string> = oncePerSubject(
  (subject) =>
    new Set(
      testChangesOf(subject).flatMap(({ file, after }) =>
        file.role === 'test' ? after.flatMap(({ name, isTest }) => (isTest ? [name, lastWord(name)] : [])) : [],
      ),
    ),
);

/** True when the task itself takes an assertion away or changes it. */
export function isTakenByTask(options: { change: TestFileChange; assertion: Assertion }): boolean {
  const { change, assertion } = options;
  return change.isDecided && !wantedForm(change).includes(assertion.form.slice(0, 200)) && !wantedForms(change).has(assertion.form);
}

const wholeForms = new WeakMap<TestFileChange, string>();

/** {@link formOf} the text that the task ends with. */
export function wantedForm(change: TestFileChange): string {
  const known = wholeForms.get(change) ?? wholeForm(change.wanted ?? '');
  wholeForms.set(change, known);
  return known;
}

const wanted = new WeakMap<TestFileChange, ReadonlySet<string>>();

/** Forms of the assertions that the task ends with in this file. */
export function wantedForms(change: TestFileChange): ReadonlySet<string> {
  const known = wanted.get(change) ?? new Set(wantedUnits(change).flatMap(({ assertions }) => assertions.map(({ form }) => form)));
  wanted.set(change, known);
  return known;
}

/** The tests that the task ends with in this file. */
export function wantedUnits({ file, wanted: text, isPython }: TestFileChange): readonly TestUnit[] {
  const language = languageOf(file.oldPath) ?? languageOf(file.path);
  if (text === undefined || language === undefined || language === 'bash' || text.length > longest) return [];
  return testUnitsOf({ tree: parseSource({ language, text }), isPython });
}

function lastWord(name: string): string {
  return name.slice(name.lastIndexOf(' ') + 1);
}
