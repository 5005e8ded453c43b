import type { Tool } from '@tadpole/contracts';
import { z } from 'zod';
import { defineTool } from './define-tool.js';
import { parseLeafCaps } from './leaf-caps.js';
import { expandHome } from './tool-path.js';

const globInput = z.object({
  pattern: z.string().min(1).describe('Glob pattern: **, *, ? and {a,b}.'),
  path: z.string().min(1).optional().describe('Folder to search in. Default: the repository.'),
});

/** Glob: the matching files, sorted, relative, one a line (frognano.md section 2.2). The same in both profiles. */
export function createGlobTool(
  options: {
    /** @default 1000 */
    files?: number;
  } = {},
): Tool<typeof globInput> {
  const { globFiles } = parseLeafCaps({ globFiles: options.files });
  return defineTool({
    name: 'Glob',
    description: 'Lists the files whose paths match a glob pattern such as **/*.js or src/{a,b}/*.ts.',
    inputSchema: globInput,
    async execute({ pattern, path }, context) {
      const folder = path === undefined ? undefined : await expandHome(path, context);
      const files = await context.sandbox.glob(pattern, { path: folder, signal: context.signal });
      if (files.length === 0) return 'No files matched.';
      const hidden = files.length - globFiles;
      return [...files.slice(0, globFiles), ...(hidden > 0 ? [`... ${hidden} more files`] : [])].join('\n');
    },
  });
}
