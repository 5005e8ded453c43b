import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestExecutor, TestRun } from '@tadpole/contracts';
import { applyEdits } from '../../src/edit/apply-edits.js';

/** Prints one line for each test into a file beside the tests. */
const plugin = `
import json, pytest
compared = {}
def pytest_assertrepr_compare(op, left, right):
    if op == "==": compared.update(expected=repr(right), observed=repr(left))
@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if report.when != "call": return
    error = call.excinfo
    failure = {} if error is None else {"message": error.exconly(), "kind": "assertion" if error.errisinstance(AssertionError) else "error", **compared}
    compared.clear()
    with open("report.jsonl", "a") as out: out.write(json.dumps({"file": report.nodeid.split("::")[0], "name": report.nodeid.split("::", 1)[1], "status": report.outcome, **failure}) + "\\n")
`;

/** Runs pytest for real, in a child process on a copy of the snapshot; for trusted fixtures only. */
export function createPytestExecutor(): TestExecutor {
  return {
    async execute({ snapshot, edits, testFiles = snapshot.testFiles, timeoutMs }): Promise<TestRun> {
      const folder = mkdtempSync(join(tmpdir(), 'tadpole-pytest-'));
      try {
        cpSync(snapshot.directory, folder, { recursive: true });
        for (const file of new Set(edits.map((edit) => edit.file))) {
          const path = join(folder, file);
          const own = edits.filter((edit) => edit.file === file);
          writeFileSync(path, applyEdits(existsSync(path) ? readFileSync(path, 'utf8') : null, own) ?? '');
        }
        writeFileSync(join(folder, 'reporting.py'), plugin);
        const output = await runPytest({ folder, testFiles, timeoutMs });
        const report = join(folder, 'report.jsonl');
        if (!existsSync(report)) return { status: 'crashed', output, durationMs: 0 };
        const lines = readFileSync(report, 'utf8').trim().split('\n');
        const tests = lines.map((line) => JSON.parse(line)).map((test) => ({ id: `${test.file}::${test.name}`, ...test }));
        return { status: 'completed', tests, output, durationMs: 0 };
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

function runPytest(options: { folder: string; testFiles: readonly string[]; timeoutMs: number }): Promise<string> {
  const args = ['-B', '-m', 'pytest', '-p', 'reporting', '-p', 'no:cacheprovider', '-q', ...options.testFiles];
  return new Promise((resolve) => {
    execFile('python3', args, { cwd: options.folder, timeout: options.timeoutMs, killSignal: 'SIGKILL' }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}
