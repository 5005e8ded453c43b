import { join } from 'node:path';
import type { SandboxProvider } from '@tadpole/contracts';
import { createReadTool } from '@tadpole/leaf-harness';
import { benchLimits, benchWorkspace, median, timed } from './bench-workspace.js';

/** The tool Read of a file of 400 lines, through the sandbox's runner and by a process that is started for the call. */
export async function measureReading(options: {
  provider: SandboxProvider;
  folder: string;
  rounds: number;
}): Promise<{ persistentMs: number; perCallMs: number; ratio: number }> {
  const workspace = benchWorkspace({ directory: join(options.folder, 'reading'), files: 10 });
  const sandbox = await options.provider.open({ environment: { workspace }, limits: benchLimits });
  const file = 'folder-0/file-3.js';
  const readTool = createReadTool();
  const persistent = () => readTool.execute({ file_path: file }, { sandbox });
  const script = "process.stdout.write(require('node:fs').readFileSync(process.argv[1]))";
  const perCall = () => sandbox.run({ command: `exec node -e "${script}" ${file}` });
  try {
    await persistent();
    await perCall();
    const times = { persistent: [] as number[], perCall: [] as number[] };
    for (let round = 0; round < options.rounds; round += 1) {
      times.persistent.push(await timed(persistent));
      times.perCall.push(await timed(perCall));
    }
    const [persistentMs, perCallMs] = [median(times.persistent), median(times.perCall)];
    return { persistentMs, perCallMs, ratio: perCallMs / persistentMs };
  } finally {
    await sandbox.dispose();
  }
}
