import { fileURLToPath } from 'node:url';

/** Folder of the files that run inside a sandbox: the test runners and their report channel. */
export function assetsDirectory(): string {
  return fileURLToPath(new URL('../assets', import.meta.url));
}
