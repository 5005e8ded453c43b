// `npm run soak:engine -- [rollouts]`: rollouts in containers of a private dockerd that is killed and started again on the
// way. Checks that no rollout is lost, that none was scored for the engine's failure, and that no container is left.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Policy } from '@tadpole/contracts';
import { leafTools, rollOut, turnSeed } from '@tadpole/leaf-harness';
import {
  createDependencyStore,
  createDockerProvider,
  createGrader,
  createTaskOpener,
  readTask,
  reapDockerSandboxes,
  taskHash,
} from '@tadpole/task-runtime';
import { conductBySeed, soakSeed, solves } from './soak-plan.js';

const samples = Number(process.argv[2] ?? 30);
if (!Number.isInteger(samples) || samples < 6) throw new TypeError(`expected a number of rollouts from 6, got ${process.argv[2]}`);
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tadpole-engine-soak-'));
const engineFolder = join(folder, 'engine');
const image = 'localhost/tadpole-soak:latest';
const script = (name: string) => execFileSync(join(root, 'test/engines', name), [engineFolder], { encoding: 'utf8' }).trim();

/** An image of folders and links alone; programs come from this machine. */
function importImage(socketPath: string): void {
  const skeleton = join(folder, 'skeleton');
  for (const path of ['usr', 'etc/alternatives', 'proc', 'sys', 'dev', 'tmp', 'var/tmp', 'run', 'opt'])
    mkdirSync(join(skeleton, path), { recursive: true });
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(skeleton, name));
  writeFileSync(join(skeleton, 'etc/passwd'), 'root:x:0:0::/:/bin/sh\nagent:x:1000:1000::/tmp:/bin/bash\n');
  writeFileSync(join(skeleton, 'etc/group'), 'root:x:0:\nagent:x:1000:\n');
  const archive = join(folder, 'skeleton.tar');
  execFileSync('tar', ['-C', skeleton, '-cf', archive, '.']);
  execFileSync('docker', ['-H', `unix://${socketPath}`, 'import', archive, image]);
}

const task = await readTask(join(root, 'examples/tasks/clamp'));
const goldPatch = readFileSync(join(task.directory, 'solution/gold.patch'), 'utf8');
const conducts = conductBySeed({ taskId: task.data.id, samples });

/** Answers at once: the gold patch or a note, then a look, then the end. */
const policy: Policy = {
  name: 'planned',
  async respond({ messages, sampling }) {
    const turn = messages.filter(({ role }) => role === 'assistant').length;
    const conduct = conducts.get(turnSeed({ seed: sampling.seed, turn }));
    assert.ok(conduct !== undefined);
    const change = conduct.solves
      ? { name: 'Bash', arguments: JSON.stringify({ command: `git apply - <<'PATCH'\n${goldPatch}PATCH` }) }
      : { name: 'Write', arguments: JSON.stringify({ file_path: 'notes.txt', content: 'note\n' }) };
    const look = { name: 'Read', arguments: JSON.stringify({ file_path: 'src/clamp.js' }) };
    const toolCalls = turn === 0 ? [{ id: 'a', ...change }] : turn === 1 ? [{ id: 'b', ...look }] : [];
    return { message: { role: 'assistant', content: '', toolCalls }, usage: { promptTokens: 1, completionTokens: 1 }, stopReason: 'stop' };
  },
};

const socketPath = script('start-dockerd.sh');
try {
  importImage(socketPath);
  const node = realpathSync(process.execPath);
  const provider = createDockerProvider({
    ...{ image, scratchDirectory: join(folder, 'scratch'), engines: [{ socketPath }], runId: 'soak' },
    readOnlyMounts: ['/usr', '/etc/alternatives'].map((path) => ({ source: path, target: path })),
    ...(node.startsWith('/usr/') ? {} : { nodePath: node }),
  });
  const dependencyStore = createDependencyStore({ nodeModules: join(root, 'node_modules'), into: join(folder, 'dependencies') });
  const counts = { scored: 0, unscored: 0, retried: 0 };
  const seen = new Set<number>();
  let isKilled = false;
  const rollouts = rollOut({
    ...{
      tasks: [task],
      samplesPerTask: samples,
      hashTask: taskHash,
      purpose: 'evaluation',
      policy,
      weightsVersion: 'none',
      tools: leafTools(),
    },
    grader: createGrader({ provider, dependencyStore }),
    openSandbox: createTaskOpener({ provider, dependencyStore }),
    ...{ concurrency: 3, gradingConcurrency: 2, attempts: 3, now: Date.now },
    sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 100 },
    seedFor: ({ taskId, sample }) => soakSeed({ taskId, sample, purpose: 'evaluation' }),
  });
  for await (const { sample, outcome, failedAttempts } of rollouts) {
    assert.ok(!seen.has(sample), `sample ${sample} ended twice`);
    seen.add(sample);
    counts.retried += failedAttempts.length;
    if (outcome.status === 'scored') {
      counts.scored += 1;
      assert.equal(outcome.reward, solves(sample) ? 1 : 0, `sample ${sample} has another's score`);
    } else counts.unscored += 1;
    if (seen.size === Math.ceil(samples / 3) && !isKilled) {
      isKilled = true;
      process.kill(Number(readFileSync(join(engineFolder, 'engine.pid'), 'utf8')), 'SIGKILL');
      await new Promise((resolve) => setTimeout(resolve, 500));
      // Nobody may be there to reap the engine's children, whose numbers then seem to live.
      for (const name of ['engine.pid', 'exec/containerd/containerd.pid']) rmSync(join(engineFolder, name), { force: true });
      script('start-dockerd.sh');
    }
  }
  assert.equal(seen.size, samples);
  assert.ok(counts.scored >= samples / 3, 'too few rollouts were scored');
  assert.ok(counts.retried + counts.unscored > 0, 'nobody noticed that the engine was killed');
  await provider.disposeAll();
  await reapDockerSandboxes({ engines: [{ socketPath }] });
  const left = execFileSync('docker', ['-H', `unix://${socketPath}`, 'ps', '--all', '--quiet'], { encoding: 'utf8' });
  assert.equal(left, '', 'a container is left');
  console.log(`${samples} rollouts over an engine that was killed once: ${JSON.stringify(counts)}`);
} finally {
  script('stop-engine.sh');
  rmSync(folder, { recursive: true, force: true });
}
