import { z } from 'zod';
import { acceptAliases } from './accept-aliases.js';
import { defineTool } from './define-tool.js';
import { displayPath, expandHome } from './tool-path.js';

/**
 * Write: creates or replaces a file, making its folders (frognano.md section 2.2). The number it reports
 * is UTF-8 bytes; the original calls its count of characters bytes.
 */
export const writeTool = defineTool({
  name: 'Write',
  description: 'Writes a whole file, replacing it when it exists and making its folders when they do not.',
  inputSchema: z.preprocess(
    acceptAliases({ path: { name: 'file_path' } }),
    z.object({
      file_path: z.string().min(1).describe('Path of the file, relative to the repository or absolute.'),
      content: z.string().describe('The whole new content of the file.'),
    }),
  ),
  async execute({ file_path: filePath, content }, context) {
    await context.sandbox.writeFile(await expandHome(filePath, context), content, { signal: context.signal });
    return `Wrote ${displayPath(filePath)} (${Buffer.byteLength(content)} bytes).`;
  },
});
