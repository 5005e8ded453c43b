import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { SandboxProvider } from '@tadpole/contracts';
import { benchLimits, benchWorkspace, median, timed } from './bench-workspace.js';

const bareArguments = [
  ...['--unshare-all', '--die-with-parent', '--ro-bind', '/usr', '/usr', '--symlink', 'usr/bin', '/bin', '--symlink', 'usr/lib', '/lib'],
  ...['--symlink', 'usr/lib64', '/lib64', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', 'true'],
];

/** Opening a sandbox over a workspace of 3,000 files, whose base is known, against a bare `bwrap true`. */
export async function measureOpening(options: {
  provider: SandboxProvider;
  folder: string;
  rounds: number;
}): Promise<{ openMs: number; bareMs: number; ratio: number }> {
  const workspace = benchWorkspace({ directory: join(options.folder, 'opening'), files: 3000 });
  const open = () => options.provider.open({ environment: { workspace, workspaceKey: 'opening' }, limits: benchLimits });
  await (await open()).dispose();
  const times = { open: [] as number[], bare: [] as number[] };
  for (let round = 0; round < options.rounds; round += 1) {
    times.bare.push(await timed(bare));
    const started = performance.now();
    const sandbox = await open();
    times.open.push(performance.now() - started);
    await sandbox.dispose();
  }
  const [openMs, bareMs] = [median(times.open), median(times.bare)];
  return { openMs, bareMs, ratio: openMs / bareMs };
}

async function bare(): Promise<void> {
  const child = spawn('bwrap', bareArguments, { stdio: 'ignore' });
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
  if (code !== 0) throw new Error(`expected bwrap true to succeed, got exit ${String(code)}`);
}
