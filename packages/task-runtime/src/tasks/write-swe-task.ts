import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type ImportedLineage, type SandboxLimits, TadpoleError, type Task, type TestRunner } from '@tadpole/contracts';
import { taskId } from './foreign-task.js';
import { applyToTree, checkOutCommit } from './git-tree.js';
import { lintTestIds } from './lint-test-ids.js';
import { statInside } from './stat-inside.js';
import type { SweBenchInstance, SweSmithInstance } from './swe-instances.js';
import { writeTask } from './write-task.js';

/** Where an instance's repository is and how its task is run. */
export interface SweTaskOptions {
  /** A git repository, bare or checked out, that has the instance's commit; its working tree does not matter. */
  readonly repository: string;
  readonly limits: SandboxLimits;
  /** Wall time of the tests. */
  readonly timeoutMs: number;
  /** @default 'pytest' */
  readonly runner?: TestRunner;
  /** Image with the repository's own dependencies. @default that of the instance, where it names one */
  readonly image?: string;
  /** Where the repository stands in that image. @default '/workspace' */
  readonly workspacePath?: string;
  /** Folder of task folders. */
  readonly into: string;
}

/**
 * Writes the task folder of a SWE-bench instance: the agent gets the commit without history; the files of the test patch
 * are hidden in their new form, folders of tests that the gold patch leaves alone are protected.
 *
 * @throws TadpoleError `invalid-input` for a commit or patch that is not there or does not apply, an empty statement, and
 * test ids that the runner cannot emit or whose files are nowhere.
 */
export async function writeSweBenchTask(options: SweTaskOptions & { instance: SweBenchInstance }): Promise<Task> {
  const { instance } = options;
  assertInstance(options);
  return inScratch(async (scratch) => {
    const [workspace, hidden, solved] = [join(scratch, 'workspace'), join(scratch, 'hidden'), join(scratch, 'solved')];
    await checkOutCommit({ repository: options.repository, commit: instance.base_commit, into: workspace });
    for (const copy of [hidden, solved]) await cp(workspace, copy, { recursive: true, verbatimSymlinks: true });
    const tests = await applyToTree({ directory: hidden, patch: instance.test_patch, name: `test_patch of ${instance.instance_id}` });
    const gold = await applyToTree({ directory: solved, patch: instance.patch, name: `patch of ${instance.instance_id}` });
    return write({
      ...{ ...options, workspace, hidden, hiddenPaths: tests.written, goldPatch: instance.patch, repaired: gold },
      lineage: lineageOf({
        ...{ format: 'swe-bench', instance, origin: `${instance.repo}@${instance.base_commit}` },
        more: tests.removed.map((path) => `test_patch removes ${path}`),
      }),
    });
  });
}

/**
 * Writes the task folder of a SWE-smith instance: the agent gets the commit with the bug applied and without the files
 * that hold fail-to-pass tests; the reverse of the bug is the gold patch.
 *
 * @throws TadpoleError `invalid-input` as {@link writeSweBenchTask}, and for an instance without pass-to-pass tests or whose bug
 * changes its own fail-to-pass tests.
 */
export async function writeSweSmithTask(
  options: SweTaskOptions & {
    instance: SweSmithInstance;
    /** @default the instance's `base_commit`, or the one that its `repo` ends with */
    commit?: string;
  },
): Promise<Task> {
  const { instance } = options;
  const commit = options.commit ?? instance.base_commit ?? /\.([0-9a-f]{7,40})$/.exec(instance.repo)?.[1];
  if (commit === undefined) throw refuse(instance, 'a commit, in base_commit or at the end of repo', `repo ${instance.repo} alone`);
  if (instance.PASS_TO_PASS.length === 0) throw refuse(instance, 'at least one pass-to-pass test', 'none');
  assertInstance(options);
  const failing = [...new Set(instance.FAIL_TO_PASS.map(fileOf))];
  return inScratch(async (scratch) => {
    const [workspace, hidden] = [join(scratch, 'workspace'), join(scratch, 'hidden')];
    await checkOutCommit({ repository: options.repository, commit, into: workspace });
    const bug = await applyToTree({ directory: workspace, patch: instance.patch, name: `patch of ${instance.instance_id}` });
    const changed = [...bug.written, ...bug.removed].find((path) => failing.includes(path));
    if (changed !== undefined) throw refuse(instance, 'a bug outside its fail-to-pass tests', `one that changes ${changed}`);
    for (const path of failing) {
      const found = await statInside({ directory: workspace, path });
      if (!found?.isFile()) throw refuse(instance, `the test file ${path} in the commit ${commit}`, 'no file, or one behind a link');
      await mkdir(dirname(join(hidden, path)), { recursive: true });
      await rename(join(workspace, path), join(hidden, path));
    }
    return write({
      ...{ ...options, workspace, hidden, hiddenPaths: failing, goldPatch: bug.reverse, repaired: bug },
      image: options.image ?? instance.image_name,
      lineage: lineageOf({ format: 'swe-smith', instance, origin: `${instance.repo}@${commit}`, more: [] }),
    });
  });
}

/** Comes before anything is written, since the files that test ids name are paths. */
function assertInstance(options: { instance: SweBenchInstance | SweSmithInstance; runner?: TestRunner }): void {
  const { instance, runner = 'pytest' } = options;
  const { FAIL_TO_PASS: failToPass, PASS_TO_PASS: passToPass } = instance;
  if (instance.problem_statement.trim() === '') throw refuse(instance, 'a problem_statement', 'an empty one');
  if (failToPass.length === 0) throw refuse(instance, 'at least one fail-to-pass test', 'none');
  const problems = lintTestIds({ ids: [...failToPass, ...passToPass], runner });
  if (problems.length === 0) return;
  const named = problems.slice(0, 5).map(({ id, problem }) => `${JSON.stringify(id)}: ${problem}`);
  throw refuse(instance, `test ids that ${runner} emits`, `${problems.length} others (${named.join('; ')})`);
}

async function write(
  options: SweTaskOptions & {
    instance: SweBenchInstance | SweSmithInstance;
    workspace: string;
    hidden: string;
    hiddenPaths: readonly string[];
    goldPatch: string;
    /** Files that the gold patch writes and removes. */
    repaired: { readonly written: readonly string[]; readonly removed: readonly string[] };
    lineage: ImportedLineage;
  },
): Promise<Task> {
  const { instance, runner = 'pytest', limits, image, workspacePath, timeoutMs } = options;
  const { FAIL_TO_PASS: failToPass, PASS_TO_PASS: passToPass } = instance;
  const testFiles = [...new Set([...failToPass, ...passToPass].map(fileOf))];
  const repaired = [...options.repaired.written, ...options.repaired.removed];
  return writeTask({
    data: {
      id: taskId(instance.instance_id),
      instruction: instance.problem_statement,
      environment: {
        dependencies: [],
        ...(workspacePath === undefined ? {} : { workspacePath }),
        ...(image === undefined ? {} : { image }),
      },
      limits,
      verifier: {
        ...{ kind: 'tests', runner, failToPass, passToPass, testFiles, timeoutMs },
        protectedPaths: testFolders(testFiles).filter((folder) => !repaired.some((path) => path.startsWith(`${folder}/`))),
      },
      lineage: options.lineage,
    },
    workspace: options.workspace,
    hiddenFiles: { directory: options.hidden, paths: options.hiddenPaths },
    goldPatch: options.goldPatch,
    into: options.into,
  });
}

const carried = new Set([
  'instance_id',
  'repo',
  'base_commit',
  'patch',
  'test_patch',
  'problem_statement',
  'FAIL_TO_PASS',
  'PASS_TO_PASS',
  'image_name',
]);

function lineageOf(options: {
  format: 'swe-bench' | 'swe-smith';
  instance: SweBenchInstance | SweSmithInstance;
  origin: string;
  more: readonly string[];
}): ImportedLineage {
  const { format, instance, origin } = options;
  const others = Object.entries(instance).filter(([key, value]) => !carried.has(key) && value !== null && value !== '');
  const lines = others.map(([key, value]) => {
    const text = JSON.stringify(value);
    return text.length > 100 ? `${key} (${text.length} characters)` : `${key} = ${text}`;
  });
  return { kind: 'imported', format, instanceId: instance.instance_id, origin, notCarried: [...lines.sort(), ...options.more] };
}

/** The folders that hold nothing but tests and their helpers, by their names. */
function testFolders(testFiles: readonly string[]): readonly string[] {
  const folders = testFiles.flatMap((file) => /^(?:.*\/)?(?:tests?|__tests__)(?=\/)/.exec(file)?.[0] ?? []);
  return [...new Set(folders)];
}

function fileOf(id: string): string {
  return id.split('::')[0] ?? id;
}

async function inScratch<Result>(work: (scratch: string) => Promise<Result>): Promise<Result> {
  const scratch = await mkdtemp(join(tmpdir(), 'tadpole-import-'));
  try {
    return await work(scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function refuse(instance: { instance_id: string }, expected: string, got: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message: `expected of ${instance.instance_id} ${expected}, got ${got}` });
}
