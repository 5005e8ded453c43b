import { join } from 'node:path';
import type { SandboxProvider } from '@tadpole/contracts';
import { createBashTool } from '@tadpole/leaf-harness';
import { benchLimits, benchWorkspace } from './bench-workspace.js';

/** How much more memory this process holds while a command prints 2 GiB through the tool Bash. */
export async function measureFlood(options: { provider: SandboxProvider; folder: string }): Promise<{ growthMiB: number }> {
  const workspace = benchWorkspace({ directory: join(options.folder, 'flood'), files: 1 });
  const sandbox = await options.provider.open({ environment: { workspace }, limits: benchLimits });
  try {
    const bashTool = createBashTool();
    const flood = (bytes: string) => bashTool.execute({ command: `yes | head -c ${bytes}` }, { sandbox });
    // What the first flood allocates once is not growth.
    await flood('8M');
    const before = process.memoryUsage.rss();
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, 20);
    await flood('2G');
    clearInterval(watch);
    return { growthMiB: (Math.max(peak, process.memoryUsage.rss()) - before) / 2 ** 20 };
  } finally {
    await sandbox.dispose();
  }
}
