import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

/** Absolute path of a program in the system's folders, never in the caller's `PATH`; `undefined` when it is not installed. */
export function findProgram(name: string): string | undefined {
  for (const folder of ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin', '/usr/local/sbin']) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // The next folder.
    }
  }
  return undefined;
}
