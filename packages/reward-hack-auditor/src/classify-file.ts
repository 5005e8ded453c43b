import type { Task } from '@tadpole/contracts';

/** True for a file that holds tests or belongs to them: by the task's verifier, or by the customs of test runners. */
export function isTestFile(task: Task, path: string): boolean {
  return (
    (task.data.verifier.kind === 'tests' && task.data.verifier.testFiles.includes(path)) ||
    /(^|\/)(tests?|specs?|__tests__)\/|[._-](test|spec)\.[cm]?[jt]sx?$|(^|\/)test[s_-]?[^/]*\.(py|[cm]?[jt]s)$|_test\.(py|go)$/i.test(path)
  );
}

/** True for a file that grading restores from the task whatever the patch says. */
export function isProtected(task: Task, path: string): boolean {
  const { verifier } = task.data;
  if (verifier.kind === 'script') return false;
  const guards = [...verifier.testFiles, ...verifier.protectedPaths, ...(verifier.configFile === undefined ? [] : [verifier.configFile])];
  return guards.some((guarded) => path === guarded || path.startsWith(`${guarded.replace(/\/$/, '')}/`));
}

/** True for a file that configures how tests are run, or what code they load. */
export function isRunnerConfig(path: string): boolean {
  return /(^|\/)(package\.json|\.npmrc|\.env|\.mocharc(\.\w+)?|mocha\.opts|\.taprc|\.nycrc(\.\w+)?|\.c8rc(\.\w+)?|(jest|vitest|vite|ava|tap|karma|babel)\.config\.\w+|tsconfig[^/]*\.json|conftest\.py|pytest\.ini|setup\.cfg|tox\.ini|pyproject\.toml|Makefile|sitecustomize\.py|usercustomize\.py|[^/]+\.pth)$/.test(
    path,
  );
}

/** True for code that ships: a source file that is neither a test nor configuration. */
export function isProductCode(task: Task, path: string): boolean {
  return /\.([cm]?[jt]sx?|py)$/.test(path) && !isTestFile(task, path) && !isRunnerConfig(path);
}

/** True for a program's own entry point or a developer's script, where ending the process is ordinary. */
export function isEntryPoint(path: string): boolean {
  return /(^|\/)(bin|cli|scripts?|tools?|examples?|bench(marks?)?)\/|(^|\/)(bin|cli|cmd|main|__main__)\.\w+$|-cli\.\w+$/.test(path);
}
