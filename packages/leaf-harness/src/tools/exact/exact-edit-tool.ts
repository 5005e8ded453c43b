import type { Tool } from '@tadpole/contracts';
import { defineTool } from '../define-tool.js';
import { editDescription, editInput } from '../edit-tool.js';
import { plainLineEnds } from '../plain-line-ends.js';
import { readExistingFile } from '../read-existing-file.js';
import { findBytes, replaceBytes } from '../replace-bytes.js';
import { ToolError } from '../tool-error.js';
import { displayPath, expandHome } from '../tool-path.js';

/**
 * Edit as the released Leaf has it, in text mode: every line end of the file becomes `\n` and bytes that are not UTF-8
 * become U+FFFD, matches are counted without overlap, and a text may be replaced by itself.
 */
export function createExactEditTool(): Tool<typeof editInput> {
  return defineTool({
    name: 'Edit',
    description: editDescription,
    inputSchema: editInput,
    async execute({ file_path: filePath, old_string: oldString, new_string: newString, replace_all: replaceAll = false }, context) {
      const shown = displayPath(filePath);
      const fail = (message: string) => new ToolError({ type: 'ValueError', message: `${shown}: ${message}` });
      if (oldString === '') throw fail('old_string is empty');
      const file = plainLineEnds(await readExistingFile(filePath, context), { loneReturns: 'replace' });
      const bytes = Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(file));
      const search = Buffer.from(oldString);
      const { positions } = findBytes({ bytes, search, fail });
      const count = positions.length;
      if (count === 0) throw fail('old_string was not found');
      if (count > 1 && !replaceAll) throw fail(`old_string matched ${count} times`);
      const result = replaceBytes({ bytes, positions, searchBytes: search.length, replacement: Buffer.from(newString), fail });
      await context.sandbox.writeFile(await expandHome(filePath, context), result, { signal: context.signal });
      return `Edited ${shown} (${count} replacement${count === 1 ? '' : 's'}).`;
    },
  });
}
