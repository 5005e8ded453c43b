import type { Tool } from '@tadpole/contracts';
import { z } from 'zod';
import { acceptAliases } from './accept-aliases.js';
import { defineTool } from './define-tool.js';
import { displayPath, expandHome } from './tool-path.js';

/** What both profiles' Write says of itself. */
export const writeDescription = 'Writes a whole file, replacing it when it exists and making its folders when they do not.';

/** What both profiles' Write takes. */
export const writeInput = z.preprocess(
  acceptAliases({ path: { name: 'file_path' } }),
  z.object({
    file_path: z.string().min(1).describe('Path of the file, relative to the repository or absolute.'),
    content: z.string().describe('The whole new content of the file.'),
  }),
);

/** Write: creates or replaces a file, making its folders (frognano.md section 2.2), and says how many UTF-8 bytes it wrote. */
export function createWriteTool(): Tool<typeof writeInput> {
  return defineTool({
    name: 'Write',
    description: writeDescription,
    inputSchema: writeInput,
    async execute({ file_path: filePath, content }, context) {
      await context.sandbox.writeFile(await expandHome(filePath, context), content, { signal: context.signal });
      return `Wrote ${displayPath(filePath)} (${Buffer.byteLength(content)} bytes).`;
    },
  });
}
