import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { TadpoleError } from '@tadpole/contracts';

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

/** A program that nothing works without. @throws TadpoleError `missing-dependency` when it is not installed. */
export function requireProgram(name: string): string {
  const path = findProgram(name);
  if (path === undefined) throw new TadpoleError({ code: 'missing-dependency', message: `expected the program ${name}; install it` });
  return path;
}
