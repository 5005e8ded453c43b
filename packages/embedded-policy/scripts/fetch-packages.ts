import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** A package of the registry, pinned by version and, where it is given, by content. */
export interface PinnedPackage {
  readonly name: string;
  readonly version: string;
  /** Subresource integrity of the tarball, `sha512-…`. */
  readonly integrity?: string;
}

/** Downloads and unpacks packages below `folder` once; returns the folder of each, in order. Throws when a tarball is not the pinned one. */
export async function fetchPackages(packages: readonly PinnedPackage[], folder: string): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  const folders: string[] = [];
  for (const pinned of packages) {
    const target = join(folder, `${pinned.name.replace(/^@/, '').replace('/', '-')}-${pinned.version}`);
    if (!existsSync(target)) await unpack(pinned, { folder, target });
    folders.push(target);
  }
  return folders;
}

async function unpack({ name, version, integrity }: PinnedPackage, { folder, target }: { folder: string; target: string }): Promise<void> {
  const { stdout } = await execute('npm', ['pack', `${name}@${version}`, '--silent', '--pack-destination', folder]);
  const tarball = join(folder, stdout.trim().split('\n').at(-1)!);
  const hash = `sha512-${createHash('sha512')
    .update(await readFile(tarball))
    .digest('base64')}`;
  if (integrity !== undefined && hash !== integrity) throw new Error(`${name}@${version}: expected a tarball of ${integrity}, got ${hash}`);
  const partial = `${target}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial);
  await execute('tar', ['-xzf', tarball, '-C', partial, '--strip-components=1', '--no-same-owner']);
  await rename(partial, target);
  await rm(tarball);
}
