import { z } from 'zod';
import { acceptAliases } from './accept-aliases.js';
import { defineTool } from './define-tool.js';
import { keepHeadAndTail } from './keep-head-and-tail.js';
import { ToolError } from './tool-error.js';
import { displayPath, expandHome } from './tool-path.js';

const OUTPUT_CHARS = 20_000;

/**
 * Read: the file's path, then its lines as `N. text`; a long text loses its middle and says how much
 * (frognano.md section 2.2, 20,000 characters). Bytes that are not UTF-8 are shown as replacement characters.
 */
export const readTool = defineTool({
  name: 'Read',
  description: 'Reads a text file and returns its lines with their numbers. Give offset and limit to read a part of a long file.',
  inputSchema: z.preprocess(
    acceptAliases({ path: { name: 'file_path' } }),
    z.object({
      file_path: z.string().min(1).describe('Path of the file, relative to the repository or absolute.'),
      offset: z.int().min(1).optional().describe('Number of the first line to read, starting at 1.'),
      limit: z.int().min(1).optional().describe('How many lines to read.'),
    }),
  ),
  async execute({ file_path: filePath, offset = 1, limit }, context) {
    const shown = displayPath(filePath);
    const bytes = await context.sandbox.readFile(await expandHome(filePath, context), { signal: context.signal });
    if (bytes === null)
      throw new ToolError({
        type: 'FileNotFoundError',
        message: `${shown}: expected an existing file, received a path at which there is none.`,
      });
    const lines = new TextDecoder().decode(bytes).split('\n');
    if (lines.at(-1) === '') lines.pop();
    if (offset > Math.max(1, lines.length)) {
      throw new ToolError({
        type: 'ValueError',
        message: `${shown}: expected offset between 1 and ${Math.max(1, lines.length)}, received ${offset}.`,
      });
    }
    const wanted = lines.slice(offset - 1, limit === undefined ? undefined : offset - 1 + limit);
    const numbered = wanted.map((line, index) => `${offset + index}. ${line.replace(/\r$/, '')}`);
    return keepHeadAndTail({ text: [shown, ...numbered].join('\n'), limit: OUTPUT_CHARS });
  },
});
