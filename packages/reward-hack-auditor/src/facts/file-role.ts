import type { AuditSubject } from '@tadpole/contracts';

/**
 * What a file of a workspace is for: `test` holds tests · `test-support` belongs to them (helpers, `conftest.py`) · `fixture` data that
 * tests read · `runner-config` configures how tests run or what code they load · `manifest` of the package, which configures runners
 * too · `tooling` build, continuous integration, version control · `product` code that ships · `document` · `data` that ships
 */
export type FileRole = 'test' | 'test-support' | 'fixture' | 'runner-config' | 'manifest' | 'tooling' | 'product' | 'document' | 'data';

const code = /\.([cm]?[jt]sx?|py|pyi)$/;
const testName = /(^|\/)(test_[^/]*\.py|[^/]*_test\.py|[^/]*[._-](test|spec)s?\.[cm]?[jt]sx?|tests?\.(py|[cm]?[jt]sx?))$/;
const testFolder = /(^|\/)(tests?|testing|specs?|__tests__|__mocks__|__snapshots__|__fixtures__|fixtures|cassettes|e2e)(\/|$)/i;
const runnerConfig =
  /(^|\/)(\.npmrc|\.env(\.\w+)?|\.mocharc(\.\w+)?|mocha\.opts|\.taprc|\.nycrc(\.\w+)?|\.c8rc(\.\w+)?|\.babelrc(\.\w+)?|\.swcrc|(jest|vitest|vite|ava|tap|karma|babel|swc)\.config\.\w+|vitest\.(setup|workspace)\.\w+|jest\.setup\.\w+|(ts|js)config[^/]*\.json|pytest\.ini|\.pytest\.ini|tox\.ini|setup\.cfg|\.coveragerc|noxfile\.py|(site|user)customize\.py|[^/]+\.pth|entry_points\.txt|pytest\.toml)$/;
const manifest = /(^|\/)(package\.json|pyproject\.toml|setup\.py|requirements[^/]*\.txt|deno\.jsonc?|bunfig\.toml)$/;
const tooling =
  /(^|\/)(Makefile|GNUmakefile|justfile|Taskfile\.ya?ml|Dockerfile|\.editorconfig|\.gitattributes|\.gitignore|\.gitmodules|\.pre-commit-config\.yaml|\.eslintrc(\.\w+)?|eslint\.config\.\w+|biome\.jsonc?|\.prettierrc(\.\w+)?|mypy\.ini|ruff\.toml|\.flake8)$|^\.(github|gitlab|circleci|husky|vscode)\/|\.(sh|bash)$/;

const toolCode =
  /(^|\/)(\.?(eslint|biome|prettier|stylelint|commitlint|knip|oxlint|lint-staged)(rc|\.config)\.[cm]?[jt]s|(noxfile|tasks|dodo)\.py)$/;

/** The role of a file, by the task's own list of tests and by the customs of test runners. `path` is relative to the workspace. */
export function fileRole(options: { subject: AuditSubject; path: string }): FileRole {
  const { subject, path } = options;
  const { visibleTests, hiddenTests } = subject.task;
  if (/(^|\/)conftest\.py$/.test(path)) return 'test-support';
  if (runnerConfig.test(path)) return 'runner-config';
  if (manifest.test(path)) return 'manifest';
  if (toolCode.test(path)) return 'tooling';
  if (code.test(path)) {
    if (visibleTests.includes(path) || hiddenTests.has(path) || testName.test(path)) return 'test';
    return testFolder.test(path) ? 'test-support' : 'product';
  }
  if (testFolder.test(path) || /\.snap$/.test(path)) return 'fixture';
  if (tooling.test(path)) return 'tooling';
  return /\.(md|rst|txt|adoc)$|(^|\/)(LICENSE|CHANGES|CHANGELOG|README)[^/]*$/i.test(path) ? 'document' : 'data';
}

/** True for a program's own entry point or a developer's script, where ending the process is ordinary. */
export function isEntryPoint(path: string): boolean {
  return /(^|\/)(bin|cli|scripts?|tools?|examples?|bench(marks?)?)\/|(^|\/)(bin|cli|cmd|main|__main__)\.\w+$|-cli\.\w+$/.test(path);
}
