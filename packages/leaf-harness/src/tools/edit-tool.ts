import type { Tool } from '@tadpole/contracts';
import { z } from 'zod';
import { acceptAliases } from './accept-aliases.js';
import { defineTool } from './define-tool.js';
import { readExistingFile } from './read-existing-file.js';
import { ToolError } from './tool-error.js';
import { displayPath, expandHome } from './tool-path.js';

/** Larger files are no source code, and their text could grow past what the language can hold. */
const MAX_RESULT_BYTES = 67_108_864;

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

  const text = Buffer.from(await readExistingFile(filePath, context)).toString('latin1');
  const inFile = hasOnlyCrlf(text) ? withCrlf : (given: string) => given;
  const [search, replacement] = [asBytes(inFile(oldString)), asBytes(inFile(newString))];
  const matches = countMatches(text, search);
  if (matches === 0)
    throw fail('expected old_string to occur in the file, received a text that was not found. Read the file and copy the text exactly.');
  if (matches > 1 && !replaceAll) {
    throw fail(
      `expected old_string to occur once, received a text that matched ${matches} times. Give more of the lines around it, or set replace_all.`,
    );
  }
  const parts = text.split(search);
  const count = parts.length - 1;
  const resultBytes = text.length + count * (replacement.length - search.length);
  if (resultBytes > MAX_RESULT_BYTES)
    throw fail(`expected a result of at most ${MAX_RESULT_BYTES} bytes, received an edit that makes ${resultBytes}. Nothing was changed.`);
  const result = Buffer.from(parts.join(replacement), 'latin1');
  await context.sandbox.writeFile(await expandHome(filePath, context), result, { signal: context.signal });
  return `Edited ${shown} (${count} replacement${count === 1 ? '' : 's'}).`;
};

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
