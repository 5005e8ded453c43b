import { posix } from 'node:path';
import type { AuditSubject } from '@tadpole/contracts';
import { fileRole } from '../../facts/file-role.js';
import { goldTreeOf, testRoles } from '../gold-tree.js';
import { rewriteImports } from './rewrite-imports.js';

/** Tests of a task in another place, under other names. */
export interface MovedTests {
  /** Fixtures and, for JavaScript, helpers, by absolute path. */
  readonly files: ReadonlyMap<string, string>;
  /** Test files as they are to be replayed. */
  readonly tests: readonly MovedTest[];
  /** Python's helper modules by module name. */
  readonly support: Readonly<Record<string, { readonly path: string; readonly text: string }>>;
  /** Python's `conftest.py` files, the outermost first. */
  readonly conftests: readonly { readonly path: string; readonly text: string }[];
}

/** A test file whose frameworks are stand-ins. */
export interface MovedTest {
  readonly originalPath: string;
  readonly path: string;
  /** Source of the hidden test, before anything is rewritten. */
  readonly text: string;
  /** What is replayed for a source, the original or a mutated one. */
  rewrite(text: string): string;
}

/**
 * Lays the gold's tests, their helpers and fixtures into a folder outside of the workspace, under names in which nothing says
 * test, so that code which looks for tests or their data finds none.
 */
export function moveTests(options: { subject: AuditSubject; folder: string; shimPath: string }): MovedTests {
  const { subject, folder, shimPath } = options;
  const { hiddenTests, workspacePath } = subject.task;
  const tree = goldTreeOf(subject);
  const paths = [...tree.keys()].filter((path) => testRoles.includes(fileRole({ subject, path })));
  const place = (path: string) => posix.join(folder, plainName(path));
  const known = new Set(paths);
  const moved = (path: string) => (known.has(path) ? place(path) : undefined);
  const rewrite = (path: string) => (text: string) =>
    path.endsWith('.py') ? text : rewriteImports({ text, path, workspacePath, shimPath, moved });
  const tests = [...hiddenTests.keys()].filter(
    (path) => fileRole({ subject, path }) === 'test' && isCode(path) && !/(^|\/)conftest\.py$/.test(path),
  );
  const files = new Map<string, string>();
  const support: Record<string, { path: string; text: string }> = {};
  for (const path of paths) {
    const text = tree.get(path) ?? '';
    if (path.endsWith('.py')) {
      for (const name of moduleNames(path)) support[name] = { path: place(path), text };
    } else if (!isCode(path)) files.set(place(path), text);
    else if (!tests.includes(path)) files.set(place(path), rewrite(path)(text));
  }
  const manifest = subject.task.files.get('package.json');
  if (manifest !== undefined)
    files.set(posix.join(folder, 'package.json'), /"type"\s*:\s*"module"/.test(manifest) ? '{"type":"module"}\n' : '{}\n');
  const conftests = [...tree.keys()].filter((path) => /(^|\/)conftest\.py$/.test(path)).sort((left, right) => left.length - right.length);
  return {
    files,
    support,
    tests: tests.map((path) => ({ originalPath: path, path: place(path), text: hiddenTests.get(path) ?? '', rewrite: rewrite(path) })),
    conftests: conftests.map((path) => ({ path: place(path), text: tree.get(path) ?? '' })),
  };
}

function isCode(path: string): boolean {
  return /\.([cm]?[jt]sx?|py)$/.test(path);
}

/** A path without the words that name tests. */
function plainName(path: string): string {
  return path
    .split('/')
    .map((part) =>
      part
        .replace(/^(tests?|specs?|__tests__)$/, 'usage')
        .replace(/^test_|_test(?=\.py$)/, 'usage_')
        .replace(/\.(test|spec)\./, '.usage.'),
    )
    .join('/');
}

/** Names under which Python finds a helper: from the root, and from its own folder, where pytest looks first. */
function moduleNames(path: string): readonly string[] {
  if (/(^|\/)(conftest|__init__)\.py$/.test(path)) return [];
  const full = path.replace(/\.py$/, '').replaceAll('/', '.');
  const last = full.split('.').at(-1) ?? full;
  return last === full ? [full] : [full, last];
}
