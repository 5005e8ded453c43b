import { z } from 'zod';
import { acceptAliases } from './accept-aliases.js';
import { defineTool } from './define-tool.js';
import { ToolError } from './tool-error.js';
import { displayPath, expandHome } from './tool-path.js';

/**
 * Edit: replaces an exact text, which must occur once unless `replace_all` (frognano.md section 2.2).
 * It works on bytes, so a byte order mark and bytes that are not UTF-8 stay as they are; in a file whose
 * every line ends in CRLF, `\n` in both strings stands for CRLF, since Read does not show the carriage return.
 */
export const editTool = defineTool({
  name: 'Edit',
  description: 'Replaces old_string by new_string in a file. old_string must match exactly and occur once, unless replace_all is true.',
  inputSchema: z.preprocess(
    acceptAliases({ path: { name: 'file_path' } }),
    z.object({
      file_path: z.string().min(1).describe('Path of the file, relative to the repository or absolute.'),
      old_string: z.string().describe('The text to replace, exactly as it stands in the file, without line numbers.'),
      new_string: z.string().describe('The text to put in its place; may be empty.'),
      replace_all: z.boolean().optional().describe('Replace every occurrence. Default: false.'),
    }),
  ),
  async execute({ file_path: filePath, old_string: oldString, new_string: newString, replace_all: replaceAll = false }, context) {
    const shown = displayPath(filePath);
    const fail = (message: string) => new ToolError({ type: 'ValueError', message: `${shown}: ${message}` });
    if (oldString === '') throw fail('expected old_string with at least one character, received an empty one. Use Write to create a file.');
    if (oldString === newString) throw fail('expected new_string to differ from old_string, received the same text.');
    const path = await expandHome(filePath, context);
    const bytes = await context.sandbox.readFile(path, { signal: context.signal });
    if (bytes === null)
      throw new ToolError({
        type: 'FileNotFoundError',
        message: `${shown}: expected an existing file, received a path at which there is none.`,
      });

    const text = Buffer.from(bytes).toString('latin1');
    const [search, replacement] = hasOnlyCrlf(text) ? [withCrlf(oldString), withCrlf(newString)] : [oldString, newString];
    const searchBytes = asBytes(search);
    const matches = countMatches(text, searchBytes);
    if (matches === 0)
      throw fail('expected old_string to occur in the file, received a text that was not found. Read the file and copy the text exactly.');
    if (matches > 1 && !replaceAll) {
      throw fail(
        `expected old_string to occur once, received a text that matched ${matches} times. Give more of the lines around it, or set replace_all.`,
      );
    }
    const parts = text.split(searchBytes);
    const count = parts.length - 1;
    await context.sandbox.writeFile(path, Buffer.from(parts.join(asBytes(replacement)), 'latin1'), { signal: context.signal });
    return `Edited ${shown} (${count} replacement${count === 1 ? '' : 's'}).`;
  },
});

/** A text's UTF-8 bytes, one per UTF-16 unit, so that string functions work on bytes. */
function asBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function hasOnlyCrlf(text: string): boolean {
  return text.includes('\r\n') && !/(?<!\r)\n/.test(text);
}

function withCrlf(text: string): string {
  return text.replace(/\r?\n/g, '\r\n');
}

/** Positions at which `search` stands, overlapping ones too: `aa` is ambiguous in `aaa`. */
function countMatches(text: string, search: string): number {
  let count = 0;
  for (let at = text.indexOf(search); at !== -1; at = text.indexOf(search, at + 1)) count += 1;
  return count;
}
