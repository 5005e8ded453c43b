import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { fetchSeedRepositories } from './seed-repositories.js';

const main = fileURLToPath(new URL('../packages/tadpole/src/cli/main.ts', import.meta.url));

/** What the command prints last under `--json`. */
const resultSchema = z.object({
  tasks: z.array(z.string()),
  proposed: z.int(),
  valid: z.int(),
  measured: z.int(),
  inBand: z.int(),
  rollouts: z.int(),
  ended: z.string(),
});

/**
 * Fetches the seed repositories and gives each, a bare folder, to one `tadpole synth` with the embedded policy or the repairer; prints how
 * many tasks came out at the end and what was lost on the way.
 */
export async function admissionsStudy(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', default: '' },
      policy: { type: 'string', default: 'embedded' },
      count: { type: 'string', default: '2' },
      band: { type: 'string', default: '0.1,0.9' },
      'max-rollouts': { type: 'string', default: '400' },
      'max-minutes': { type: 'string', default: '10' },
    },
  });
  const folder = await mkdtemp(join(tmpdir(), 'tadpole-admissions-'));
  const flags = [`--${values.policy}`, '--count', values.count, '--band', values.band, '--json'];
  const budget = ['--max-rollouts', values['max-rollouts'], '--max-minutes', values['max-minutes']];
  try {
    const names = values.only === '' ? [] : values.only.split(',');
    const { repositories, nodeModules, pythonPackages } = await fetchSeedRepositories({ names, into: folder });
    const rows: (readonly string[])[] = [];
    const admitting = new Set<string>();
    for (const { name, directory } of repositories) {
      process.stderr.write(`${name}\n`);
      const packages = ['--node-modules', nodeModules, '--python-packages', pythonPackages];
      const out = join(folder, 'out', name.replaceAll('/', '__'));
      const said = await run(['synth', directory, '--out', out, ...packages, ...flags, ...budget]);
      const row = cellsOf(said);
      if (Number(row.at(-1)) > 0) admitting.add(name);
      rows.push([name, ...row]);
    }
    const head = ['repository', 'executed', 'valid', 'yield', 'measured', 'in the band', 'rollouts', 'admitted'];
    const table = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
    process.stdout.write(`${table}\n${JSON.stringify({ admitting: admitting.size, tried: repositories.length })}\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function cellsOf({ stdout, stderr }: { stdout: string; stderr: string }): readonly string[] {
  const parsed = resultSchema.safeParse(parseJson(stdout));
  if (!parsed.success) return [stderr.trim().split('\n')[0]?.slice(0, 160) ?? '', '', '', '', '', '', '0'];
  const { tasks, proposed, valid, measured, inBand, rollouts } = parsed.data;
  const share = proposed === 0 ? '–' : `${Math.round((100 * valid) / proposed)} %`;
  return [proposed, valid, share, measured, inBand, rollouts, tasks.length].map(String);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Runs the command line from the sources, whatever its exit code. */
function run(args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const words = ['--import', 'tsx', '--conditions=@tadpole/source', main, ...args];
    execFile(process.execPath, words, { maxBuffer: 2 ** 26 }, (_, stdout, stderr) => resolve({ stdout, stderr }));
  });
}
