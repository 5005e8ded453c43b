import { createHash } from 'node:crypto';
import { isTadpoleError, type ToolContext } from '@tadpole/contracts';

/**
 * Keeps a whole output in a file of the sandbox, so that what an observation leaves out can be read with Read.
 * Returns the path, which depends on the text alone, or nothing where the sandbox refuses the file (no space).
 *
 * @throws TadpoleError `sandbox` or `aborted`, as the sandbox did.
 */
export async function spillOutput(options: { text: string; folder: string; context: ToolContext }): Promise<string | undefined> {
  const { text, folder, context } = options;
  const path = `${folder}/leaf-output-${createHash('sha256').update(text).digest('hex').slice(0, 12)}.txt`;
  try {
    await context.sandbox.writeFile(path, text, { signal: context.signal });
    return path;
  } catch (error) {
    if (isTadpoleError(error) && (error.code === 'sandbox' || error.code === 'aborted')) throw error;
    return undefined;
  }
}
