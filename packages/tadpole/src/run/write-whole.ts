import { renameSync, writeFileSync } from 'node:fs';
import { TadpoleError } from '@tadpole/contracts';

/** Writes a file as a whole or not at all: a reader never sees a part of it. @throws TadpoleError `storage`. */
export function writeWhole(options: { path: string; content: string }): void {
  const temporary = `${options.path}.partial`;
  writing(options.path, () => {
    writeFileSync(temporary, options.content);
    renameSync(temporary, options.path);
  });
}

/** What an action that writes gave. @throws TadpoleError `storage` for whatever it throws. */
export function writing<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (cause) {
    throw new TadpoleError({
      code: 'storage',
      message: `Expected to write ${path}, got: ${(cause as Error).message}. What the run recorded so far is intact; free space or fix the permissions, then resume.`,
      cause,
    });
  }
}
