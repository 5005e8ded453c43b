import { z } from 'zod';
import { defineTool } from './define-tool.js';
import { expandHome } from './tool-path.js';

const MAX_FILES = 1000;

/** Glob: the matching files, sorted, relative, one a line, 1,000 at most (frognano.md section 2.2). */
export const globTool = defineTool({
  name: 'Glob',
  description: 'Lists the files whose paths match a glob pattern such as **/*.js or src/{a,b}/*.ts.',
  inputSchema: z.object({
    pattern: z.string().min(1).describe('Glob pattern: **, *, ? and {a,b}.'),
    path: z.string().min(1).optional().describe('Folder to search in. Default: the repository.'),
  }),
  async execute({ pattern, path }, context) {
    const folder = path === undefined ? undefined : await expandHome(path, context);
    const files = await context.sandbox.glob(pattern, { path: folder, signal: context.signal });
    if (files.length === 0) return 'No files matched.';
    const hidden = files.length - MAX_FILES;
    return [...files.slice(0, MAX_FILES), ...(hidden > 0 ? [`... ${hidden} more files`] : [])].join('\n');
  },
});
