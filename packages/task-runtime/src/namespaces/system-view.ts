import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Mount } from './launcher.js';

/** What every sandbox sees of this machine: programs and libraries, read-only, and almost nothing of `/etc`. */
export interface SystemView {
  readonly readOnlyMounts: readonly Mount[];
  /** Links such as `/bin` to `usr/bin`. */
  readonly links: readonly { readonly path: string; readonly to: string }[];
  /** Folders that are covered by an empty one. */
  readonly hidden: readonly string[];
  readonly path: string;
  /** Where Node.js is inside. */
  readonly node: string;
}

/** Folder inside a sandbox under which the runtime mounts its own read-only files. */
export const runtimeFolder = '/opt/tadpole';

/**
 * Reads the layout of this machine. Globally installed npm packages are hidden, as they may hold an upstream
 * copy of the very package that a task was made from; other software under `/usr` stays visible.
 */
export function systemView(options: { nodePath: string }): SystemView {
  const readOnlyMounts: Mount[] = [{ source: '/usr', target: '/usr' }];
  const links: { path: string; to: string }[] = [];
  for (const path of ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']) {
    if (!existsSync(path)) continue;
    if (lstatSync(path).isSymbolicLink()) links.push({ path, to: readlinkSync(path) });
    else readOnlyMounts.push({ source: path, target: path });
  }
  for (const path of ['/etc/ld.so.cache', '/etc/alternatives']) if (existsSync(path)) readOnlyMounts.push({ source: path, target: path });
  const hidden = ['/usr/lib/node_modules', '/usr/local/lib/node_modules', '/usr/src', '/usr/local/src'].filter(existsSync);
  const visible = options.nodePath.startsWith('/usr/') && !hidden.some((folder) => options.nodePath.startsWith(`${folder}/`));
  const node = visible ? options.nodePath : '/opt/node/bin/node';
  if (!visible) readOnlyMounts.push({ source: options.nodePath, target: node });
  const folders = [dirname(node), '/usr/local/bin', '/usr/bin', '/bin'];
  return { readOnlyMounts, links, hidden, path: [...new Set(folders)].join(':'), node };
}

/** Files of `/etc`, by name, that programs ask for a user's name. */
export function accountFiles(options: { uid: number; gid: number }): Readonly<Record<'passwd' | 'group', string>> {
  return { passwd: `agent:x:${options.uid}:${options.gid}::/tmp:/bin/bash\n`, group: `agent:x:${options.gid}:\n` };
}

/** Files of `/etc` that name resolution needs; only for a sandbox with the host's network. */
export function networkMounts(): readonly Mount[] {
  return ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf', '/etc/ssl', '/etc/ca-certificates']
    .filter(existsSync)
    .map((path) => ({ source: path, target: path }));
}
