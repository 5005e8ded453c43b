import { chmodSync, chownSync, closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { runProgram, systemEnvironment } from '../sandbox/run-program.js';

/** Paths of the FIFOs of one call, for its standard output and its standard error. */
export type PipePaths = readonly [stdout: string, stderr: string];

/** FIFOs that calls take in turn; a call that finds none is given sockets by Node.js. */
export interface PipePool {
  take(): PipePaths | undefined;
  giveBack(paths: PipePaths): void;
  /** Lets go of them. */
  close(): void;
}

/** How many calls can have pipes at one time. */
const pairs = 32;

/** `O_PATH` of Linux, which Node.js does not name: holds a file without opening either end of it. */
const holdOnly = 0o10000000;

/**
 * Makes FIFOs and keeps them without a name: they are opened again through this process's descriptors, so nothing of them
 * stands on the disk. Opened again by name inside a sandbox, a FIFO has to belong to the sandbox's user.
 */
export async function createPipePool(options: { scratchDirectory: string; owner?: { uid: number; gid: number } }): Promise<PipePool> {
  const folder = mkdtempSync(join(options.scratchDirectory, '.pipes-'));
  try {
    const names = Array.from({ length: 2 * pairs }, (_, index) => join(folder, String(index)));
    await runProgram({ program: 'mkfifo', arguments: ['-m', '600', '--', ...names], env: systemEnvironment });
    const descriptors = names.map((name) => {
      if (options.owner !== undefined) chownSync(name, options.owner.uid, options.owner.gid);
      return openSync(name, holdOnly);
    });
    const path = (index: number) => `/proc/self/fd/${descriptors[index]}`;
    const free: PipePaths[] = Array.from({ length: pairs }, (_, index) => [path(2 * index), path(2 * index + 1)]);
    return {
      take() {
        const paths = free.pop();
        // The last command that had them was their owner.
        for (const path of paths ?? []) chmodSync(path, 0o600);
        return paths;
      },
      giveBack: (paths) => {
        free.push(paths);
      },
      close() {
        for (const descriptor of descriptors.splice(0)) closeSync(descriptor);
      },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Bytes that are read at one time. */
const chunkBytes = 65_536;

/**
 * Opens both ends of a FIFO and hands on what comes, in one buffer that is used again. Node.js gives its children sockets,
 * which cannot be opened again by name: with a pipe, `echo problem >/dev/stderr` works as it does everywhere. The caller
 * closes the writing end once the child has it.
 */
export function openPipe(options: { path: string; take: (chunk: Buffer) => void }): {
  readonly reader: Readable;
  readonly writer: number;
} {
  const descriptor = openSync(options.path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(options.path, constants.O_WRONLY);
  const buffer = Buffer.allocUnsafe(chunkBytes);
  const callback = (count: number) => {
    options.take(buffer.subarray(0, count));
    return true;
  };
  // A flood would otherwise leave garbage faster than it is collected.
  const settings: SocketConstructorOpts & { onread: OnReadOpts } = {
    ...{ fd: descriptor, readable: true, writable: false },
    onread: { buffer, callback },
  };
  const reader = new Socket(settings);
  reader.resume();
  return { reader, writer };
}
