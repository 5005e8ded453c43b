// A tool of your own is one call of defineTool: this one counts lines, inside the sandbox.
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineTool, leafTools, toolDefinition } from '@tadpole/leaf-harness';
import { createNamespaceProvider } from '@tadpole/task-runtime';
import { z } from 'zod';

const countLinesTool = defineTool({
  name: 'CountLines',
  description: 'Counts the lines of a file.',
  inputSchema: z.object({ file_path: z.string().describe('path of the file') }),
  async execute({ file_path }, { sandbox, signal }) {
    const content = await sandbox.readFile(file_path, { signal });
    if (content === null) throw new Error(`${file_path}: expected a file, found none`);
    return String(new TextDecoder().decode(content).split('\n').length - 1);
  },
});

const folder = await mkdtemp(join(tmpdir(), 'tadpole-example-'));
const workspace = await mkdtemp(join(folder, 'workspace-'));
await writeFile(join(workspace, 'poem.txt'), 'a pond\na frog\na splash\n');
const provider = createNamespaceProvider({ scratchDirectory: join(folder, 'scratch') });
const limits = {
  ...{ processes: 64, memoryBytes: 2 ** 29, cpuSeconds: 10, timeoutMs: 10_000 },
  ...{ fileBytes: 2 ** 24, writtenBytes: 2 ** 27, writtenFiles: 20_000, outputBytes: 2 ** 18 },
};
const sandbox = await provider.open({ environment: { workspace }, limits });
try {
  const lines = await countLinesTool.execute({ file_path: 'poem.txt' }, { sandbox });
  console.log(`poem.txt has ${lines} lines`);
  if (lines !== '3') throw new Error('expected 3');
} finally {
  await sandbox.dispose();
}
// runAgent and climb take the list; a model endpoint sees these definitions.
console.log([...leafTools(), countLinesTool].map((tool) => toolDefinition(tool).name).join(', '));
