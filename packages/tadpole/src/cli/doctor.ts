import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Containment, TadpoleError } from '@tadpole/contracts';
import { createNamespaceProvider } from '@tadpole/task-runtime';
import { recipeConfiguration } from '../recipe/recipe-configuration.js';
import type { Check } from './check.js';
import { checkEngines, describeEngine, engineSockets } from './container-engines.js';
import { findNodeModules } from './find-node-modules.js';

/**
 * Checks everything that the recipe needs, prints one line each, and what the sandbox does and does not
 * contain here. Exit code 1 when something is missing.
 */
export async function runDoctor(flags: { json?: boolean; engine?: string; image?: string }): Promise<void> {
  if ((flags.engine === undefined) !== (flags.image === undefined))
    throw new TadpoleError({ code: 'invalid-config', message: 'Expected --engine and --image together, got one of them.' });
  const { checks, containment } = await diagnose(flags);
  process.stdout.write(flags.json ? `${JSON.stringify({ checks, containment })}\n` : doctorText({ checks, containment }));
  if (checks.some(({ ok }) => !ok)) process.exitCode = 1;
}

/** The checks behind `tadpole doctor`. Never throws: a failure is a check that is not ok. */
async function diagnose(flags: {
  engine?: string;
  image?: string;
}): Promise<{ checks: readonly Check[]; containment: Containment | undefined }> {
  const checks: Check[] = [checkNode(), checkGit(), checkEngine(), ...checkRepositories(), checkSpace()];
  const scratchDirectory = mkdtempSync(join(tmpdir(), 'tadpole-doctor-'));
  try {
    const provider = createNamespaceProvider({ scratchDirectory });
    checks.push(
      await attempt('sandbox', async () => {
        const sandbox = await provider.open({
          environment: { workspace: mkdtempSync(join(scratchDirectory, 'workspace-')) },
          limits: recipeConfiguration('small').agent.limits,
        });
        try {
          const { exitCode, stderr } = await sandbox.run({ command: 'true' });
          if (exitCode !== 0) throw new Error(`a command in it ended with ${exitCode}: ${stderr.slice(0, 200)}`);
        } finally {
          await sandbox.dispose();
        }
        return 'opens, runs and closes';
      }),
    );
    const { engine: socketPath, image } = flags;
    checks.push(...(await checkEngines(engineSockets({ ...process.env, ...(socketPath ? { DOCKER_HOST: `unix://${socketPath}` } : {}) }))));
    if (socketPath === undefined || image === undefined) return { checks, containment: await provider.describe().catch(() => undefined) };
    let containment: Containment | undefined;
    checks.push(
      await attempt('sandbox in a container', async () => {
        containment = await describeEngine({ socketPath, image, scratchDirectory });
        return 'opens, runs and closes';
      }),
    );
    return { checks, containment };
  } finally {
    rmSync(scratchDirectory, { recursive: true, force: true });
  }
}

function checkNode(): Check {
  const major = Number(process.versions.node.split('.')[0]);
  return {
    name: 'node',
    ok: major >= 20,
    detail: major >= 20 ? process.versions.node : `${process.versions.node}; needs 20 or newer: install it from nodejs.org`,
  };
}

function checkGit(): Check {
  try {
    return { name: 'git', ok: true, detail: execFileSync('git', ['--version'], { encoding: 'utf8' }).trim() };
  } catch {
    return { name: 'git', ok: false, detail: 'not found; install it, for instance: apt-get install git' };
  }
}

function checkEngine(): Check {
  try {
    createRequire(import.meta.url)('onnxruntime-node');
    return { name: 'onnxruntime-node', ok: true, detail: 'loads' };
  } catch (error) {
    return {
      name: 'onnxruntime-node',
      ok: false,
      detail: `does not load (${(error as Error).message.split('\n')[0]}); run \`npm ci\` on a supported platform`,
    };
  }
}

function checkRepositories(): readonly Check[] {
  try {
    const nodeModules = findNodeModules();
    const require = createRequire(join(nodeModules, 'x.js'));
    return recipeConfiguration('full').repositories.map(({ package: name }) => {
      try {
        return {
          name: `repository ${name}`,
          ok: true,
          detail: (require(join(nodeModules, name, 'package.json')) as { version: string }).version,
        };
      } catch {
        return { name: `repository ${name}`, ok: false, detail: 'not installed; run `npm ci`' };
      }
    });
  } catch (error) {
    return [{ name: 'repositories', ok: false, detail: (error as Error).message }];
  }
}

function checkSpace(): Check {
  const { bavail, bsize } = statfsSync('.');
  const gibibytes = (bavail * bsize) / 2 ** 30;
  return {
    name: 'disk',
    ok: gibibytes >= 2,
    detail: `${gibibytes.toFixed(1)} GiB free here${gibibytes >= 2 ? '' : '; a run needs 2 GiB'}`,
  };
}

async function attempt(name: string, action: () => Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, detail: await action() };
  } catch (error) {
    return { name, ok: false, detail: (error as Error).message };
  }
}

function doctorText(options: { checks: readonly Check[]; containment: Containment | undefined }): string {
  const lines = options.checks.map(({ name, ok, detail }) => `${ok ? 'ok     ' : 'MISSING'}  ${name.padEnd(28)} ${detail}`);
  const { containment } = options;
  if (containment) {
    lines.push('', `sandbox ${containment.provider}, enforced here:`);
    for (const { id, how } of containment.enforced) lines.push(`  ${id}: ${how}`);
    lines.push(containment.notEnforced.length === 0 ? 'not enforced here: nothing of what is named' : 'not enforced here:');
    for (const { id, why } of containment.notEnforced) lines.push(`  ${id}: ${why}`);
    lines.push(...containment.notes.map((note) => `  note: ${note}`));
  }
  return `${lines.join('\n')}\n`;
}
