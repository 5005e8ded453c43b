import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { TadpoleError } from '@tadpole/contracts';
import { stopOnProcessSignals } from '@tadpole/leaf-harness';
import { createNamespaceProvider } from '@tadpole/task-runtime';
import { validateRepository } from '../synth/validate-repository.js';
import { checkSynthFlags } from './check-synth-flags.js';
import { measures, type SynthFlags } from './synth-flags.js';
import { openLines } from './synth-lines.js';
import { synthesizeMeasured } from './synth-measured.js';
import { noPackages, sourceRepositories } from './synth-repositories.js';

interface Yield {
  valid: number;
  proposed: number;
}

/**
 * `tadpole synth`: tasks that a policy can almost solve, or without a policy tasks whose difficulty nobody knows.
 * @throws TadpoleError as `synthesizeRepository` and `validateRepository` do; `invalid-config` for flags that do not go together.
 */
export async function synthesizeFolders(folders: readonly string[], flags: SynthFlags): Promise<void> {
  checkSynthFlags(flags);
  for (const folder of folders) requireOutside({ folder: resolve(folder), out: resolve(flags.out) });
  if (measures(flags)) await synthesizeMeasured({ folders, flags });
  else await validateOnly({ folders, flags });
}

/** What is written below a repository would be taken for a part of it when it is opened again. */
function requireOutside({ folder, out }: { folder: string; out: string }): void {
  const path = relative(folder, out);
  if (path === '..' || path.startsWith('../') || isAbsolute(path)) return;
  const message = `--out ${out}: expected a folder outside of the repository ${folder}.`;
  throw new TadpoleError({ code: 'invalid-config', message });
}

/** Prints the yield by operator. */
async function validateOnly({ folders, flags }: { folders: readonly string[]; flags: SynthFlags }): Promise<void> {
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
    mkdirSync(noPackages(scratch));
    const { nodeModules, pythonPackages, licence, rung } = flags;
    const making = validateRepository({
      ...{ provider, scratch, signal, count: flags.count, seed: flags.seed, into: resolve(flags.out) },
      repositories: sourceRepositories({ folders, nodeModules, pythonPackages, licence, scratch }),
      ...(rung === undefined ? {} : { rung }),
    });
    for await (const event of making) {
      if (event.type === 'repository-open') {
        for (const line of openLines(event)) say(line);
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
  if (flags.json) process.stdout.write(`${JSON.stringify({ measured: 0, tasks, refused, operators: byOperator })}\n`);
  else {
    for (const [name, { valid, proposed }] of Object.entries(byOperator)) say(`${name.padEnd(28)} ${valid} of ${proposed} valid`);
    const reasons = Object.entries(refused).sort(([, left], [, right]) => right - left);
    say(
      `${tasks.length} tasks in ${resolve(flags.out)}; refused: ${reasons.map(([reason, times]) => `${reason} ${times}`).join(', ') || 'none'}`,
    );
    say(
      'Nothing was measured: how hard they are for a policy is not known. Give one with --base-url and --model, --embedded or --repairer.',
    );
  }
  if (tasks.length < flags.count) process.exitCode = 1;
}
