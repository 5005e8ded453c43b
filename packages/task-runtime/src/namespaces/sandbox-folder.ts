import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TadpoleError } from '@tadpole/contracts';
import { ownerFile, type SandboxOwner } from './sandbox-owner.js';

// Names only: each folder is made exclusively, so two copies of this module cannot collide.
let lastNumber = 0;

/** Makes the folder that stands for a sandbox on this machine, so that what a crash leaves can be found. @throws TadpoleError `storage`. */
export function makeSandboxFolder(options: { scratchDirectory: string }): { id: string; directory: string } {
  for (;;) {
    lastNumber += 1;
    const id = `sandbox-${process.pid}-${lastNumber}`;
    const directory = join(options.scratchDirectory, id);
    try {
      mkdirSync(directory, { mode: 0o755 });
      return { id, directory };
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw refused(options.scratchDirectory, cause);
    }
  }
}

/** Labels a sandbox's folder. @throws TadpoleError `storage`. */
export function labelSandboxFolder(options: { directory: string; owner: SandboxOwner }): void {
  try {
    writeFileSync(join(options.directory, ownerFile), JSON.stringify(options.owner));
  } catch (cause) {
    throw refused(options.directory, cause);
  }
}

function refused(directory: string, cause: unknown): TadpoleError {
  return new TadpoleError({
    code: 'storage',
    message: `expected a writable scratch folder at ${directory}, got: ${(cause as Error).message}`,
    cause,
  });
}
