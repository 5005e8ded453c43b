import type { AuditTask } from '@tadpole/contracts';

/** Test runners that a workbench starts: `tsx-test` is Node.js' own runner over TypeScript. */
export type TaskRunner = 'pytest' | 'node-test' | 'tsx-test' | 'vitest' | 'jest' | 'mocha' | 'tape';

/** The runner of a task, from what its hidden tests import, then from its `package.json`, then from names. */
export function taskRunner(task: AuditTask): TaskRunner {
  const tests = [...task.hiddenTests].filter(([path]) => isTestPath(path));
  const texts = tests.map(([, text]) => text).join('\n');
  if (tests.some(([path]) => path.endsWith('.py'))) return 'pytest';
  if (imports(texts, 'vitest')) return 'vitest';
  const node = tests.some(([path]) => /\.[cm]?tsx?$/.test(path)) ? 'tsx-test' : 'node-test';
  if (imports(texts, 'node:test')) return node;
  if (imports(texts, '@jest/globals')) return 'jest';
  if (imports(texts, 'tape')) return 'tape';
  if (imports(texts, 'mocha')) return 'mocha';
  const manifest = task.files.get('package.json') ?? '';
  const named = (['vitest', 'jest', 'mocha', 'tape'] as const).find((name) => new RegExp(`"[^"]*\\b${name}\\b[^"]*"`).test(manifest));
  return named ?? node;
}

/** Whether a runner would find tests in a file of this name. */
export function isTestPath(path: string): boolean {
  return /(^|\/)test_[^/]*\.py$|_test\.py$|[._-](test|spec)\.[cm]?[jt]sx?$|(^|\/)(tests?|spec|__tests__)(\/[^/]*)*\/?[^/]*\.[cm]?jsx?$|(^|\/)test\.[cm]?[jt]sx?$/.test(
    path,
  );
}

function imports(text: string, name: string): boolean {
  const quoted = name.replace(/[/@]/g, '\\$&');
  return new RegExp(`(from|import|require\\()\\s*['"]${quoted}['"]`).test(text);
}
