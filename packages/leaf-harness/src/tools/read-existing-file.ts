import type { ToolContext } from '@tadpole/contracts';
import { ToolError } from './tool-error.js';
import { displayPath, expandHome } from './tool-path.js';

/** Larger files are no source code, and their text costs a multiple of it. */
const MAX_FILE_BYTES = 67_108_864;

/** The bytes of the file at a model's path. @throws ToolError `FileNotFoundError` where there is none, `ValueError` above 64 MiB. */
export async function readExistingFile(filePath: string, context: ToolContext): Promise<Uint8Array> {
  const bytes = await context.sandbox.readFile(await expandHome(filePath, context), { signal: context.signal });
  if (bytes !== null && bytes.length > MAX_FILE_BYTES)
    throw new ToolError({
      type: 'ValueError',
      message: `${displayPath(filePath)}: expected a file of at most ${MAX_FILE_BYTES} bytes, received one of ${bytes.length}. Use Bash with sed, head or grep.`,
    });
  if (bytes !== null) return bytes;
  throw new ToolError({
    type: 'FileNotFoundError',
    message: `${displayPath(filePath)}: expected an existing file, received a path at which there is none.`,
  });
}
