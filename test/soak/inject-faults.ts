import { readdirSync, readFileSync } from 'node:fs';

interface Found {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** Processes of this machine whose command line holds a text. */
export function processesWith(text: string): readonly number[] {
  return allProcesses()
    .filter(({ command }) => command.includes(text))
    .map(({ pid }) => pid);
}

/**
 * Kills one process of a harness's sandboxes, drawn at random: a runner that serves files, or the holder of a mount
 * namespace. @returns which, or `undefined` when none was there.
 */
export function killOne(options: { harness: number; random: () => number }): 'runner' | 'holder' | undefined {
  const all = allProcesses();
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  const belongs = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === options.harness || (parent > 1 && belongs(parent)));
  };
  const kind = options.random() < 0.7 ? 'runner' : 'holder';
  const mark = kind === 'runner' ? 'sandbox-runner.cjs' : 'tadpole-ready';
  const victims = all.filter(({ pid, command }) => command.includes(mark) && belongs(pid));
  const victim = victims[Math.floor(options.random() * victims.length)];
  if (victim === undefined) return undefined;
  try {
    process.kill(victim.pid, 'SIGKILL');
    return kind;
  } catch {
    return undefined;
  }
}

function allProcesses(): readonly Found[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
        return [{ pid: Number(name), parent, command: readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ') }];
      } catch {
        return [];
      }
    });
}
