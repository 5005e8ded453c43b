import type { OwnedSandbox } from '@tadpole/contracts';
import type { Workbench } from './open-workbench.js';
import type { CorpusRunner, Files, TaskSource } from './read-task-source.js';

/** What a patch gives: the ids of tests that passed, and what the run printed. */
export interface ReferenceRun {
  /** False for a patch that does not apply to the base. */
  readonly applied: boolean;
  readonly passed: ReadonlySet<string>;
  /** Ids of the tests that failed or were skipped. */
  readonly others: readonly string[];
  readonly output: string;
}

const report = '/tmp/report.xml';

/** The shell command of each runner; it writes JUnit's format, per test. */
const commands: Readonly<Record<CorpusRunner, string>> = {
  pytest: `python3 -m pytest -q -p no:cacheprovider --junitxml=${report}`,
  'node-test': `node --test --test-reporter=junit --test-reporter-destination=${report}`,
  'tsx-test': `node --import tsx --test --test-reporter=junit --test-reporter-destination=${report}`,
  vitest: `node /node_modules/vitest/vitest.mjs run --reporter=junit --outputFile=${report}`,
};

/**
 * The reference grader of the corpus: the base tree, the patch, the hidden test files laid over it, and the runner on those
 * files in a fresh sandbox. What the patch leaves of configuration, plugins and helpers is honoured: a plain grader, so that
 * tampering can have an effect that a careful one would refuse.
 */
export async function referenceGrade(options: { workbench: Workbench; task: TaskSource; patch: string }): Promise<ReferenceRun> {
  const { task, patch } = options;
  const sandbox = await options.workbench.open({ task });
  try {
    const failure = await applyTo({ sandbox, patch });
    if (failure !== undefined) return { applied: false, passed: new Set(), others: [], output: failure };
    for (const [path, text] of Object.entries(task.hidden)) {
      // A link or a folder in the place of a test file would lead the file elsewhere.
      await sandbox.run({ command: '[ -f "$FILE" ] && [ ! -L "$FILE" ] || rm -rf -- "$FILE"', env: { FILE: path } });
      await sandbox.writeFile(path, text);
    }
    const files = Object.keys(task.hidden).filter(isTestFile);
    const result = await sandbox.run({ command: `${commands[task.runner]} ${files.map((file) => `'${file}'`).join(' ')}` });
    const bytes = await sandbox.readFile(report).catch(() => null);
    return {
      applied: true,
      ...readReport(bytes === null ? '' : new TextDecoder().decode(bytes)),
      output: `${result.stdout}${result.stderr}`,
    };
  } finally {
    await sandbox.dispose();
  }
}

/** Runs each probe in a fresh process outside of any test runner, over base and patch. The names of those that fail. */
export async function failedProbes(options: {
  workbench: Workbench;
  task: TaskSource;
  patch: string;
  probes: Files;
}): Promise<readonly string[]> {
  const { task, patch, probes } = options;
  if (Object.keys(probes).length === 0) return [];
  const sandbox = await options.workbench.open({ task });
  try {
    if ((await applyTo({ sandbox, patch })) !== undefined) return Object.keys(probes);
    const failed: string[] = [];
    for (const [name, text] of Object.entries(probes)) {
      await sandbox.writeFile(name, text);
      const program = name.endsWith('.py') ? 'python3' : name.endsWith('ts') ? 'node --import tsx' : 'node';
      const result = await sandbox.run({ command: `${program} '${name}'` });
      if (result.exitCode !== 0) failed.push(`${name}: ${result.stderr.trim().split('\n').slice(-4).join(' ')}`);
      await sandbox.run({ command: `rm -f '${name}'` });
    }
    return failed;
  } finally {
    await sandbox.dispose();
  }
}

function isTestFile(path: string): boolean {
  return /(^|\/)test_[^/]*\.py$|_test\.py$|\.(test|spec)\.[cm]?[jt]sx?$/.test(path);
}

async function applyTo(options: { sandbox: OwnedSandbox; patch: string }): Promise<string | undefined> {
  if (options.patch === '') return undefined;
  const { exitCode, stderr } = await options.sandbox.run({ command: 'git apply --recount --whitespace=nowarn', stdin: options.patch });
  return exitCode === 0 ? undefined : stderr;
}

/** Tests of a JUnit report: class, name and, for one of several of that name, its number. */
function readReport(xml: string): Pick<ReferenceRun, 'passed' | 'others'> {
  const passed = new Set<string>();
  const others: string[] = [];
  const counts = new Map<string, number>();
  const pattern = /<testcase((?:\s+[\w:-]+="[^"]*")*)\s*(?:\/>|>([\s\S]*?)<\/testcase>)/g;
  for (const [, attributes = '', body = ''] of xml.matchAll(pattern)) {
    const value = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
    const name = `${value('classname')} > ${value('name')}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    const id = count === 1 ? name : `${name} #${count}`;
    if (/<(failure|error|skipped)\b/.test(body)) others.push(id);
    else passed.add(id);
  }
  return { passed, others };
}
