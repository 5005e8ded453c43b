import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** Paths of the FIFOs of one call, for its standard output and its standard error. */
export type PipePaths = readonly [stdout: string, stderr: string];

/** FIFOs of a sandbox that calls take in turn; a call that finds none is given sockets by Node.js. */
export interface PipePool {
  take(): PipePaths | undefined;
  giveBack(paths: PipePaths): void;
}

/** How many calls of one sandbox can have pipes at one time. */
const pairs = 4;

/** The FIFOs of a folder, and the shell command that makes them. */
export function createPipePool(options: { directory: string }): PipePool & { readonly paths: readonly string[] } {
  const free: PipePaths[] = Array.from({ length: pairs }, (_, index) => [
    `${options.directory}/out-${index}`,
    `${options.directory}/error-${index}`,
  ]);
  return {
    paths: free.flat(),
    take: () => free.pop(),
    giveBack: (paths) => {
      free.push(paths);
    },
  };
}

/**
 * Opens both ends of a FIFO. Node.js gives its children sockets, which cannot be opened again by name: with a pipe,
 * `echo problem >/dev/stderr` works as it does everywhere. The writing end is closed once the child has it.
 */
export function openPipe(path: string): { readonly reader: Readable; readonly writer: number; closeWriter(): void } {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, constants.O_WRONLY);
  return {
    reader: new Socket({ fd: descriptor, readable: true, writable: false }),
    writer,
    closeWriter: () => closeSync(writer),
  };
}
