import type { Tool } from '@tadpole/contracts';
import { defineTool } from '../define-tool.js';
import { keepHead } from '../keep-head.js';
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
      const bytes = await readExistingFile(filePath, context);
      const lines = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).split(/\r\n|\r|\n/);
      if (lines.at(-1) === '') lines.pop();
      const wanted = lines.slice(offset - 1, limit === undefined ? undefined : offset - 1 + limit);
      const numbered = wanted.map((line, index) => `${offset + index}. ${line}`);
      return keepHead({ text: [displayPath(filePath), ...numbered].join('\n'), limit: options.characters });
    },
  });
}
