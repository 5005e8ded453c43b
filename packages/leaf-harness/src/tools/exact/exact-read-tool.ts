import type { Tool } from '@tadpole/contracts';
import { defineTool } from '../define-tool.js';
import { keepHead } from '../keep-head.js';
import { numberLines } from '../number-lines.js';
import { plainLineEnds } from '../plain-line-ends.js';
import { readExistingFile } from '../read-existing-file.js';
import { readDescription, readInput } from '../read-tool.js';
import { displayPath } from '../tool-path.js';

/** Read as the released Leaf has it: text mode (every kind of line end), the head of a long text, nothing past the last line. */
export function createExactReadTool(options: { characters: number }): Tool<typeof readInput> {
  return defineTool({
    name: 'Read',
    description: readDescription,
    inputSchema: readInput,
    async execute({ file_path: filePath, offset = 1, limit }, context) {
      const { characters } = options;
      const bytes = plainLineEnds(await readExistingFile(filePath, context), { loneReturns: 'replace' });
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
      const { lines, omitted } = numberLines({ text, offset, limit, characters });
      return keepHead({ text: [displayPath(filePath), ...lines].join('\n'), omitted, limit: characters });
    },
  });
}
