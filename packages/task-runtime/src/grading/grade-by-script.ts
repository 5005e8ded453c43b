import { chmod, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome, OwnedSandbox, SandboxEnvironment, SandboxProvider, ScriptVerifier, Task } from '@tadpole/contracts';
import { taskFolder } from '../tasks/task-folder.js';
import { applyPatch, outgrew } from './apply-patch.js';
import { readReward } from './read-reward.js';
import { readSandboxFile } from './read-sandbox-file.js';
import { shortOutput } from './run-test-files.js';

/** Where `/logs/verifier` leads: into the sandbox's own bounded storage. */
const logs = '/tmp/.verifier';

/** Prints which reward files are links, and fails where there is no room for another file. */
const look = `cd ${logs} || exit 1
for name in reward.json reward.txt; do if [ -L "$name" ]; then echo "$name"; fi; done
head -c 65536 /dev/zero >"$(mktemp -p .)"`;

/** Grades by the task's own script; see `createGrader`. @throws TadpoleError `sandbox` when the boundary failed, `aborted`. */
export async function gradeByScript(options: {
  provider: SandboxProvider;
  environment: SandboxEnvironment;
  task: Task;
  verifier: ScriptVerifier;
  patch: string;
  signal?: AbortSignal;
}): Promise<Outcome> {
  const { environment, signal } = options;
  // No sandbox writes here: it holds a link that a read-only mount shows inside.
  const folder = await mkdtemp(join(tmpdir(), 'tadpole-script-'));
  try {
    await symlink(logs, join(folder, 'verifier'));
    await chmod(folder, 0o755);
    const sandbox = await options.provider.open({
      environment: {
        ...environment,
        readOnlyMounts: [
          ...(environment.readOnlyMounts ?? []),
          { source: taskFolder(options.task.directory).tests, target: '/tests' },
          { source: folder, target: '/logs' },
        ],
      },
      limits: options.task.data.limits,
      signal,
    });
    try {
      return await gradeInside({ ...options, sandbox });
    } finally {
      await sandbox.dispose();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function gradeInside(options: {
  sandbox: OwnedSandbox;
  verifier: ScriptVerifier;
  patch: string;
  signal?: AbortSignal;
}): Promise<Outcome> {
  const { sandbox, patch, verifier, signal } = options;
  const { timeoutMs, env } = verifier;
  const made = await sandbox.run({ command: `mkdir -m 777 ${logs}`, signal });
  if (made.exitCode !== 0) return unscored('grader-failed', `exit ${made.exitCode} of mkdir ${logs}: ${shortOutput(made, 500)}`);
  const failure = await applyPatch({ sandbox, patch, signal });
  if (failure?.by === 'patch') return { status: 'scored', reward: 0, components: { patchApplied: 0 }, tests: [] };
  if (failure !== undefined)
    return unscored('grader-failed', `exit ${failure.result.exitCode} of git apply: ${shortOutput(failure.result, 500)}`);
  const run = await sandbox.run({ command: 'bash /tests/test.sh', env: { TZ: 'UTC', LANG: 'C.UTF-8', ...env }, timeoutMs, signal });
  if (run.timedOut) return unscored('grading-timeout', `/tests/test.sh did not end within ${timeoutMs} ms`);
  // Nothing that the script started lives once its call is over, so nothing writes while the reward is read.
  const seen = await sandbox.run({ command: look, env: { LC_ALL: 'C' }, signal });
  const links = seen.stdout.split('\n');
  const read = async (name: string) => (links.includes(name) ? undefined : readSandboxFile({ sandbox, path: `${logs}/${name}`, signal }));
  const files = { 'reward.json': await read('reward.json'), 'reward.txt': await read('reward.txt') };
  const found = readReward({ files, preferred: verifier.preferredReward });
  if (found.ok) {
    const { reward, metrics, warnings } = found;
    const scored = { status: 'scored' as const, reward, components: { ...metrics, patchApplied: 1 }, tests: [] };
    return warnings.length === 0 ? scored : { ...scored, warnings };
  }
  const why = `${found.why}; /tests/test.sh ended with exit ${run.exitCode}: ${shortOutput(run, 500)}`;
  // What the script and the code under test wrote left no room for a reward.
  if (outgrew(seen))
    return { status: 'scored', reward: 0, components: { patchApplied: 1 }, tests: [], warnings: [`the sandbox is full: ${why}`] };
  return unscored('grader-failed', why);
}

function unscored(reason: 'grader-failed' | 'grading-timeout', detail: string): Outcome {
  return { status: 'unscored', reason, boundary: 'grader', detail };
}
