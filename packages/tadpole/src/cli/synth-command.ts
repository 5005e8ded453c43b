import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stopOnProcessSignals } from '@tadpole/leaf-harness';
import { createNamespaceProvider } from '@tadpole/task-runtime';
import { synthesizeRepository } from '../synth/synthesize-repository.js';
import { findNodeModules } from './find-node-modules.js';

interface SynthFlags {
  readonly out: string;
  readonly count: number;
  readonly seed: number;
  readonly nodeModules?: string;
  readonly pythonPackages?: string;
  readonly json?: boolean;
}

interface Yield {
  valid: number;
  proposed: number;
}

/** An empty one where there is none, as for a repository of Python. */
function nearestNodeModules({ folder, scratch }: { folder: string; scratch: string }): string {
  try {
    return findNodeModules(folder);
  } catch {
    const empty = join(scratch, 'node_modules');
    mkdirSync(empty);
    return empty;
  }
}

/**
 * `tadpole synth`: makes tasks from a folder and prints the yield by operator. @throws TadpoleError as `synthesizeRepository`
 * does.
 */
export async function synthesizeFolder(folder: string, flags: SynthFlags): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'tadpole-synth-'));
  const provider = createNamespaceProvider({ scratchDirectory: join(scratch, 'sandboxes') });
  const { signal, close } = stopOnProcessSignals({ process });
  const say = (line: string) => !flags.json && process.stdout.write(`${line}\n`);
  const operators = new Map<string, Yield>();
  const refused: Record<string, number> = {};
  const tasks: string[] = [];
  const count = (operator: string, valid: number) => {
    const known = operators.get(operator) ?? { valid: 0, proposed: 0 };
    operators.set(operator, { valid: known.valid + valid, proposed: known.proposed + 1 });
  };
  try {
    const making = synthesizeRepository({
      ...{ directory: resolve(folder), provider, scratch, signal, count: flags.count, seed: flags.seed, into: resolve(flags.out) },
      nodeModules: resolve(flags.nodeModules ?? nearestNodeModules({ folder: resolve(folder), scratch })),
      ...(flags.pythonPackages === undefined ? {} : { pythonPackages: resolve(flags.pythonPackages) }),
    });
    for await (const event of making) {
      if (event.type === 'repository-open') {
        say(`${event.source} (${event.licence}): ${event.tests} tests of ${event.runner} pass untouched, ${event.setAside} set aside`);
        for (const note of event.notes) say(`  ${note}`);
      } else if (event.type === 'task-write') {
        tasks.push(event.task.directory);
        count(event.operator, 1);
        say(`${String(tasks.length).padStart(5)}  ${event.operator.padEnd(28)} ${event.task.directory}`);
      } else {
        refused[event.reason] = (refused[event.reason] ?? 0) + 1;
        count(event.operator, 0);
      }
    }
  } finally {
    close();
    await provider.disposeAll();
    rmSync(scratch, { recursive: true, force: true });
  }
  const byOperator = Object.fromEntries([...operators].sort(([left], [right]) => (left < right ? -1 : 1)));
  if (flags.json) process.stdout.write(`${JSON.stringify({ tasks, refused, operators: byOperator })}\n`);
  else {
    for (const [name, { valid, proposed }] of Object.entries(byOperator)) say(`${name.padEnd(28)} ${valid} of ${proposed} valid`);
    const reasons = Object.entries(refused).sort(([, left], [, right]) => right - left);
    say(
      `${tasks.length} tasks in ${resolve(flags.out)}; refused: ${reasons.map(([reason, times]) => `${reason} ${times}`).join(', ') || 'none'}`,
    );
  }
  if (tasks.length < flags.count) process.exitCode = 1;
}
