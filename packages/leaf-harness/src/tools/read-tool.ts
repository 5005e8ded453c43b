import type { Tool } from '@tadpole/contracts';
import { z } from 'zod';
import { acceptAliases } from './accept-aliases.js';
import { defineTool } from './define-tool.js';
import { keepHeadAndTail } from './keep-head-and-tail.js';
import { parseLeafCaps } from './leaf-caps.js';
import { numberLines } from './number-lines.js';
import { plainLineEnds } from './plain-line-ends.js';
import { readExistingFile } from './read-existing-file.js';
import { ToolError } from './tool-error.js';
import { displayPath } from './tool-path.js';

/** What both profiles' Read says of itself. */
export const readDescription =
  'Reads a text file and returns its lines with their numbers. Give offset and limit to read a part of a long file.';

/** What both profiles' Read takes. */
export const readInput = z.preprocess(
  acceptAliases({ path: { name: 'file_path' } }),
  z.object({
    file_path: z.string().min(1).describe('Path of the file, relative to the repository or absolute.'),
    offset: z.int().min(1).optional().describe('Number of the first line to read, starting at 1.'),
    limit: z.int().min(1).optional().describe('How many lines to read.'),
  }),
);

/**
 * Read: the file's path, then its lines as `N. text`; a long text loses its middle and says how much
 * (frognano.md section 2.2). Bytes that are not UTF-8 are shown as replacement characters. A file above 64 MiB is refused in words.
 */
export function createReadTool(
  options: {
    /** @default 20_000 */
    characters?: number;
  } = {},
): Tool<typeof readInput> {
  const { readCharacters } = parseLeafCaps({ readCharacters: options.characters });
  return defineTool({
    name: 'Read',
    description: readDescription,
    inputSchema: readInput,
    async execute({ file_path: filePath, offset = 1, limit }, context) {
      const bytes = plainLineEnds(await readExistingFile(filePath, context), { loneReturns: 'keep' });
      const text = new TextDecoder().decode(bytes);
      const { lineCount, lines, omitted } = numberLines({ text, offset, limit, characters: readCharacters });
      const shown = displayPath(filePath);
      if (offset > Math.max(1, lineCount)) {
        throw new ToolError({
          type: 'ValueError',
          message: `${shown}: expected offset between 1 and ${Math.max(1, lineCount)}, received ${offset}.`,
        });
      }
      return keepHeadAndTail({ text: [shown, ...lines].join('\n'), omitted, limit: readCharacters });
    },
  });
}
