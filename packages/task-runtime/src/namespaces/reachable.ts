import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Whether a user other than root can reach a path: every folder above it lets others pass. */
export function isReachable(options: { path: string; uid: number; gid: number }): boolean {
  for (let folder = dirname(options.path); ; folder = dirname(folder)) {
    const { mode, uid, gid } = statSync(folder);
    const shift = uid === options.uid ? 6 : gid === options.gid ? 3 : 0;
    if (((mode >> shift) & 1) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
