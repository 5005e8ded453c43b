import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Certificate, TadpoleError, type Task } from '@tadpole/contracts';
import { createDependencyStore, createGrader, createNamespaceProvider, readCertificate, readTask } from '@tadpole/task-runtime';
import { describeGate, explainCertificate, type TaskCheck, verifyTask } from '@tadpole/taskpilot';
import { readJournal } from '../run/journal.js';
import { findNodeModules } from './find-node-modules.js';

/**
 * `tadpole task verify`: does again what a task's certificate claims and prints each check as it is done. Exit code 1 when one
 * does not hold. @throws TadpoleError `invalid-input`, `missing-dependency`, `sandbox`, `storage`.
 */
export async function verifyTaskFolder(folder: string, flags: { nodeModules?: string; json?: boolean }): Promise<void> {
  const { task, certificate } = await readCertified(folder);
  const scratch = mkdtempSync(join(tmpdir(), 'tadpole-verify-'));
  const provider = createNamespaceProvider({ scratchDirectory: join(scratch, 'sandboxes') });
  const checks: TaskCheck[] = [];
  try {
    const nodeModules = resolve(flags.nodeModules ?? findNodeModules());
    const dependencyStore = createDependencyStore({ nodeModules, into: join(scratch, 'dependencies') });
    const checking = verifyTask({
      ...{ task, certificate, grader: createGrader({ provider, dependencyStore }) },
      goldPatch: readGoldPatch(task),
      workspace: join(task.directory, 'environment/workspace'),
      hiddenFiles: join(task.directory, 'tests/hidden'),
    });
    for await (const check of checking) {
      checks.push(check);
      if (!flags.json)
        process.stdout.write(`${check.holds ? 'holds ' : 'FAILED'}  ${check.what}${check.detail ? `: ${check.detail}` : ''}\n`);
    }
  } finally {
    await provider.disposeAll();
    rmSync(scratch, { recursive: true, force: true });
  }
  const failed = checks.filter(({ holds }) => !holds).length;
  if (flags.json) process.stdout.write(`${JSON.stringify({ taskId: task.data.id, holds: failed === 0, checks })}\n`);
  else
    process.stdout.write(
      `${task.data.id}: ${failed === 0 ? `all ${checks.length} checks hold` : `${failed} of ${checks.length} checks failed`}\n`,
    );
  if (failed > 0) process.exitCode = 1;
}

/**
 * `tadpole task explain`: why a task was admitted, from its certificate; or, given a run's folder and a candidate, why that was
 * refused, from the journal. @throws TadpoleError `invalid-input`.
 */
export async function explainTask(folder: string, candidate: string | undefined, flags: { json?: boolean }): Promise<void> {
  const sentences = candidate === undefined ? await explainAdmission(folder) : explainRefusal({ folder: resolve(folder), candidate });
  process.stdout.write(flags.json ? `${JSON.stringify({ sentences })}\n` : `${sentences.join('\n')}\n`);
}

async function explainAdmission(folder: string): Promise<readonly string[]> {
  const { task, certificate } = await readCertified(folder);
  return explainCertificate({ data: task.data, certificate });
}

function explainRefusal({ folder, candidate }: { folder: string; candidate: string }): readonly string[] {
  const events = readJournal(folder);
  const refusals = events.flatMap((event) => {
    if (event.type !== 'candidate-refuse' || event.candidateId !== candidate) return [];
    const gate = describeGate({ name: event.reason, passed: false, evidence: { detail: event.detail } });
    return [`${candidate}, made by ${event.operator} from ${event.source}, was refused. ${gate}`];
  });
  if (refusals.length > 0) return refusals;
  const discard = events.findLast((event) => event.type === 'candidate-discard' && event.taskId === candidate);
  if (discard?.type === 'candidate-discard') {
    const { strategy, source, reason, detail } = discard;
    return [`${candidate}, made by ${strategy} from ${source}, was not admitted (${reason.replaceAll('-', ' ')}): ${detail}.`];
  }
  const verdict = events.find((event) => event.type === 'candidate-calibrate' && event.taskId === candidate);
  if (verdict?.type === 'candidate-calibrate' && verdict.verdict !== 'in-band')
    return [
      `${candidate} was found ${verdict.verdict.replace('-', ' ')}: solved in ${verdict.successes} of ${verdict.trials} scored rollouts.`,
    ];
  const message = `Expected a refused candidate of ${folder}, got ${candidate}, which it does not name. The journal's candidate-refuse events name them.`;
  throw new TadpoleError({ code: 'invalid-input', message });
}

async function readCertified(folder: string): Promise<{ task: Task; certificate: Certificate }> {
  const directory = resolve(folder);
  return { task: await readTask(directory), certificate: await readCertificate(directory) };
}

function readGoldPatch({ directory }: Task): string {
  const file = join(directory, 'solution/gold.patch');
  if (existsSync(file)) return readFileSync(file, 'utf8');
  throw new TadpoleError({ code: 'invalid-input', message: `Expected the gold patch at ${file}, got none.` });
}
