import type { ToolContext } from '@tadpole/contracts';
import { ToolError } from './tool-error.js';
import { displayPath, expandHome } from './tool-path.js';

/** The bytes of the file at a model's path. @throws ToolError `FileNotFoundError` where there is none. */
export async function readExistingFile(filePath: string, context: ToolContext): Promise<Uint8Array> {
  const bytes = await context.sandbox.readFile(await expandHome(filePath, context), { signal: context.signal });
  if (bytes !== null) return bytes;
  throw new ToolError({
    type: 'FileNotFoundError',
    message: `${displayPath(filePath)}: expected an existing file, received a path at which there is none.`,
  });
}
