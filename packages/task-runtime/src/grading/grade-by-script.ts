import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome, SandboxEnvironment, SandboxProvider, ScriptVerifier, Task } from '@tadpole/contracts';
import { runtimeFolder } from '../namespaces/system-view.js';
import { taskFolder } from '../tasks/task-folder.js';
import { applyPatch, preparationExits } from './grading-preparation.js';
import { readReward } from './read-reward.js';
import { shortOutput } from './run-test-files.js';

/** Grades by the task's own script; see `createGrader`. @throws TadpoleError `sandbox` when the boundary failed, `aborted`. */
export async function gradeByScript(options: {
  provider: SandboxProvider;
  environment: SandboxEnvironment;
  task: Task;
  verifier: ScriptVerifier;
  patch: string;
  signal?: AbortSignal;
}): Promise<Outcome> {
  const { environment, verifier, signal } = options;
  const folder = await mkdtemp(join(tmpdir(), 'tadpole-script-'));
  try {
    const [logs, patchFile] = [join(folder, 'verifier'), join(folder, 'patch')];
    const patch = `${runtimeFolder}/patch`;
    await mkdir(logs);
    await writeFile(patchFile, options.patch);
    // The script runs as another user, who writes here and lists nothing above.
    await chmod(folder, 0o711);
    await chmod(logs, 0o777);
    const sandbox = await options.provider.open({
      environment: {
        ...environment,
        readOnlyMounts: [
          ...(environment.readOnlyMounts ?? []),
          { source: taskFolder(options.task.directory).tests, target: '/tests' },
          { source: patchFile, target: patch },
        ],
        writableMounts: [...(environment.writableMounts ?? []), { source: logs, target: '/logs/verifier' }],
      },
      limits: options.task.data.limits,
      signal,
    });
    let output = '';
    try {
      if (options.patch !== '') {
        const applied = await sandbox.run({ command: applyPatch(patch), signal });
        if (applied.exitCode === preparationExits.patch) return { status: 'scored', reward: 0, components: { patchApplied: 0 }, tests: [] };
        if (applied.exitCode !== 0) return unscored('grader-failed', `exit ${applied.exitCode} of git apply: ${shortOutput(applied, 500)}`);
      }
      const { timeoutMs, env } = verifier;
      const run = await sandbox.run({ command: 'bash /tests/test.sh', env: { TZ: 'UTC', LANG: 'C.UTF-8', ...env }, timeoutMs, signal });
      if (run.timedOut) return unscored('grading-timeout', `/tests/test.sh did not end within ${timeoutMs} ms`);
      output = `exit ${run.exitCode}: ${shortOutput(run, 500)}`;
    } finally {
      // Nothing that the script started may write while the reward is read.
      await sandbox.dispose();
    }
    const found = await readReward({ directory: logs, preferred: verifier.preferredReward });
    if (!found.ok) return unscored('grader-failed', `${found.why}; /tests/test.sh ended with ${output}`);
    const { reward, metrics, warnings } = found;
    const scored = { status: 'scored' as const, reward, components: { ...metrics, patchApplied: 1 }, tests: [] };
    return warnings.length === 0 ? scored : { ...scored, warnings };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function unscored(reason: 'grader-failed' | 'grading-timeout', detail: string): Outcome {
  return { status: 'unscored', reason, boundary: 'grader', detail };
}
