import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Lets every user read a folder's content, as a sandbox's user is not its owner, and execute what its owner may. */
export async function makeReadable(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const child of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, child.name);
    if (child.isDirectory()) await makeReadable(path);
    else if (child.isFile()) {
      const mode = (await lstat(path)).mode & 0o777;
      await chmod(path, mode | ((mode & 0o100) === 0 ? 0o444 : 0o555));
    }
  }
}
