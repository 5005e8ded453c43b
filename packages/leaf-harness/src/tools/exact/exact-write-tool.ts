import type { Tool } from '@tadpole/contracts';
import { countCharacters } from '../count-characters.js';
import { defineTool } from '../define-tool.js';
import { displayPath, expandHome } from '../tool-path.js';
import { writeDescription, writeInput } from '../write-tool.js';

/** Write as the released Leaf has it: the number it calls bytes is the number of characters. */
export function createExactWriteTool(): Tool<typeof writeInput> {
  return defineTool({
    name: 'Write',
    description: writeDescription,
    inputSchema: writeInput,
    async execute({ file_path: filePath, content }, context) {
      await context.sandbox.writeFile(await expandHome(filePath, context), content, { signal: context.signal });
      return `Wrote ${displayPath(filePath)} (${countCharacters(content)} bytes).`;
    },
  });
}
