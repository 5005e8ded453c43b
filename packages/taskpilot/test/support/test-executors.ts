import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestExecutor, TestResult, TestRun } from '@tadpole/contracts';
import { applyEdits } from '../../src/edit/apply-edits.js';

const reporter = `
module.exports = async function* report(source) {
  for await (const { type, data } of source) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting > 0) continue;
    const cause = data.details.error?.cause ?? data.details.error;
    yield JSON.stringify({ type, name: data.name, file: data.file, message: cause && cause.name + ': ' + cause.message, code: cause?.code,
      expected: cause && 'expected' in cause ? String(cause.expected) : undefined, observed: cause && 'actual' in cause ? String(cause.actual) : undefined }) + '\\n';
  }
};`;

/** Runs node:test for real, in a child process on a copy of the snapshot; for trusted fixtures only. */
export function createNodeTestExecutor(): TestExecutor & { readonly runs: () => number } {
  let runs = 0;
  return {
    runs: () => runs,
    async execute({ snapshot, edits, testFiles = snapshot.testFiles, timeoutMs }): Promise<TestRun> {
      runs++;
      const folder = mkdtempSync(join(tmpdir(), 'tadpole-run-'));
      try {
        cpSync(snapshot.directory, folder, { recursive: true });
        for (const file of new Set(edits.map((edit) => edit.file))) {
          const own = edits.filter((edit) => edit.file === file);
          const path = join(folder, file);
          const text = applyEdits(existsSync(path) ? readFileSync(path, 'utf8') : null, own);
          if (text === null) rmSync(path);
          else {
            mkdirSync(dirname(path), { recursive: true });
            writeFileSync(path, text);
          }
        }
        writeFileSync(join(folder, 'reporter.cjs'), reporter);
        writeFileSync(join(folder, 'all.cjs'), testFiles.map((file) => `require('./${file}');\n`).join(''));
        return await runNode({ folder, timeoutMs });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

function runNode({ folder, timeoutMs }: { folder: string; timeoutMs: number }): Promise<TestRun> {
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
  const args = ['--test-reporter=./reporter.cjs', '--test-reporter-destination=report.jsonl', 'all.cjs'];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder, env, timeout: timeoutMs, killSignal: 'SIGKILL' }, (error, stdout, stderr) => {
      const output = stdout + stderr;
      if (error?.killed === true) return resolve({ status: 'timed-out', output, durationMs: timeoutMs });
      if (!existsSync(join(folder, 'report.jsonl'))) return resolve({ status: 'crashed', output, durationMs: 0 });
      const tests = readFileSync(join(folder, 'report.jsonl'), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => toResult(folder, line));
      resolve(tests.length === 0 ? { status: 'crashed', output, durationMs: 0 } : { status: 'completed', tests, output, durationMs: 0 });
    });
  });
}

function toResult(folder: string, line: string): TestResult {
  const { type, name, file, message, code, expected, observed } = JSON.parse(line);
  const path = String(file).slice(folder.length + 1);
  const result = { id: `${path}::${name}`, file: path, name };
  if (type === 'test:pass') return { ...result, status: 'passed' };
  const kind = code === 'ERR_ASSERTION' ? 'assertion' : 'error';
  return { ...result, status: 'failed', message, kind, ...(kind === 'assertion' ? { expected, observed } : {}) };
}

/** Answers from a list, in order; a call too many throws, and so does `done()` while answers are left. */
export function createScriptedExecutor(answers: readonly (TestRun | Error)[]): TestExecutor & {
  readonly calls: Parameters<TestExecutor['execute']>[0][];
  done(): void;
} {
  const left = [...answers];
  const calls: Parameters<TestExecutor['execute']>[0][] = [];
  return {
    calls,
    async execute(options) {
      const answer = left.shift();
      if (answer === undefined) throw new Error(`Unexpected execution number ${calls.length + 1}.`);
      calls.push(options);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    done() {
      if (left.length > 0) throw new Error(`${left.length} scripted executions were not asked for.`);
    },
  };
}
