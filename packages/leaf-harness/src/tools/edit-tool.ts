import type { Tool } from '@tadpole/contracts';
import { z } from 'zod';
import { acceptAliases } from './accept-aliases.js';
import { defineTool } from './define-tool.js';
import { readExistingFile } from './read-existing-file.js';
import { findBytes, replaceBytes } from './replace-bytes.js';
import { ToolError } from './tool-error.js';
import { displayPath, expandHome } from './tool-path.js';

/** What both profiles' Edit says of itself. */
export const editDescription =
  'Replaces old_string by new_string in a file. old_string must match exactly and occur once, unless replace_all is true.';

/** What both profiles' Edit takes. */
export const editInput = z.preprocess(
  acceptAliases({ path: { name: 'file_path' } }),
  z.object({
    file_path: z.string().min(1).describe('Path of the file, relative to the repository or absolute.'),
    old_string: z.string().describe('The text to replace, exactly as it stands in the file, without line numbers.'),
    new_string: z.string().describe('The text to put in its place; may be empty.'),
    replace_all: z.boolean().optional().describe('Replace every occurrence. Default: false.'),
  }),
);

/**
 * Edit: replaces an exact text, which must occur once unless `replace_all` (frognano.md section 2.2).
 * It works on bytes, so a byte order mark and bytes that are not UTF-8 stay as they are; in a file whose
 * every line ends in CRLF, `\n` in both strings stands for CRLF, since Read does not show the carriage return.
 * A file or result above 64 MiB, or a text that occurs more than 2,000,000 times, is refused in words.
 */
export function createEditTool(): Tool<typeof editInput> {
  return defineTool({ name: 'Edit', description: editDescription, inputSchema: editInput, execute: editBytes });
}

const editBytes: Tool<typeof editInput>['execute'] = async (input, context) => {
  const { file_path: filePath, old_string: oldString, new_string: newString, replace_all: replaceAll = false } = input;
  const shown = displayPath(filePath);
  const fail = (message: string) => new ToolError({ type: 'ValueError', message: `${shown}: ${message}` });
  if (oldString === '') throw fail('expected old_string with at least one character, received an empty one. Use Write to create a file.');
  if (oldString === newString) throw fail('expected new_string to differ from old_string, received the same text.');

  const bytes = await readExistingFile(filePath, context);
  const inFile = hasOnlyCrlf(bytes) ? withCrlf : (given: string) => given;
  const search = Buffer.from(inFile(oldString));
  const { positions, overlapping } = findBytes({ bytes, search, fail });
  if (overlapping === 0)
    throw fail('expected old_string to occur in the file, received a text that was not found. Read the file and copy the text exactly.');
  if (overlapping > 1 && !replaceAll) {
    throw fail(
      `expected old_string to occur once, received a text that matched ${overlapping} times. Give more of the lines around it, or set replace_all.`,
    );
  }
  const replacement = Buffer.from(inFile(newString));
  const result = replaceBytes({ bytes, positions, searchBytes: search.length, replacement, fail });
  await context.sandbox.writeFile(await expandHome(filePath, context), result, { signal: context.signal });
  return `Edited ${shown} (${positions.length} replacement${positions.length === 1 ? '' : 's'}).`;
};

function hasOnlyCrlf(bytes: Uint8Array): boolean {
  let found = false;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] !== 0x0a) continue;
    if (bytes[at - 1] !== 0x0d) return false;
    found = true;
  }
  return found;
}

function withCrlf(text: string): string {
  return text.replace(/\r?\n/g, '\r\n');
}
