import { statfsSync } from 'node:fs';
import { TadpoleError } from '@tadpole/contracts';

/** 64 MiB: room for what a run still writes once it was told to stop. */
const defaultReserveBytes = 2 ** 26;

/**
 * Stops a run before its disk is full, while there is room to end it in order.
 * @throws TadpoleError `storage` when writing `bytes` more would leave less than `reserveBytes` free where `path` lies, or
 *   when that cannot be asked.
 */
export function assertFreeSpace(options: {
  /** A file or folder that exists. */
  path: string;
  /** About to be written. @default 0 */
  bytes?: number;
  /** @default 64 MiB */
  reserveBytes?: number;
}): void {
  const { path, bytes = 0, reserveBytes = defaultReserveBytes } = options;
  const free = freeBytes(path);
  if (free - bytes >= reserveBytes) return;
  const message = `Expected ${reserveBytes} bytes to stay free on the disk of ${path}, got ${free} free and ${bytes} to write. Nothing of it was written; free space, then go on.`;
  throw new TadpoleError({ code: 'storage', message });
}

/** What this process may still write. */
function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch (cause) {
    throw new TadpoleError({
      code: 'storage',
      message: `Expected to ask for the free space of ${path}, got: ${(cause as Error).message}.`,
      cause,
    });
  }
}
