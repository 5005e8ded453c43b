import { join, resolve } from 'node:path';
import type { SourceRepository } from '../synth/source-repository.js';
import { findNodeModules } from './find-node-modules.js';

/**
 * The folders of the command line with what their tests import: the packages of a flag, else of the nearest `node_modules`,
 * else `noPackages`, which the caller makes.
 */
export function sourceRepositories(options: {
  folders: readonly string[];
  nodeModules: string | undefined;
  pythonPackages: string | undefined;
  licence: string | undefined;
  /** Folder for what is removed again. */
  scratch: string;
}): readonly SourceRepository[] {
  const { folders, nodeModules, pythonPackages, licence, scratch } = options;
  return folders.map((folder) => ({
    directory: resolve(folder),
    nodeModules: resolve(nodeModules ?? nearestNodeModules({ folder: resolve(folder), scratch })),
    ...(pythonPackages === undefined ? {} : { pythonPackages: resolve(pythonPackages) }),
    ...(licence === undefined ? {} : { licence }),
  }));
}

/** Where an empty `node_modules` is to lie, as for a repository of Python. */
export function noPackages(scratch: string): string {
  return join(scratch, 'node_modules');
}

function nearestNodeModules({ folder, scratch }: { folder: string; scratch: string }): string {
  try {
    return findNodeModules(folder);
  } catch {
    return noPackages(scratch);
  }
}
