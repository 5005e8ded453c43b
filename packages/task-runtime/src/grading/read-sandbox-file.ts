import { isTadpoleError, type Sandbox } from '@tadpole/contracts';

/**
 * The text of a regular file that hostile code could have written, read once nothing of that code lives. It is read inside
 * the sandbox, so a link leads nowhere else, and no more than the sandbox's bound of a file.
 *
 * @returns `null` when there is nothing at that path, `undefined` when it is something else.
 */
export async function readSandboxFile(options: {
  sandbox: Sandbox;
  path: string;
  signal?: AbortSignal;
}): Promise<string | null | undefined> {
  try {
    const bytes = await options.sandbox.readFile(options.path, { signal: options.signal });
    return bytes === null ? null : Buffer.from(bytes).toString('utf8');
  } catch (error) {
    if (isTadpoleError(error) && error.code === 'invalid-input') return undefined;
    throw error;
  }
}
