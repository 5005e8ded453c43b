import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';

/** Folders of npm packages to mount at `/node_modules`. */
export interface DependencyStore {
  /**
   * The folder that holds the given packages and everything they depend on, laid out so that each resolves the versions
   * it was installed with. The same list gives the same folder.
   *
   * @throws TadpoleError `invalid-input` when a package is not installed in that version, or when `exclude` is one of the given ones.
   */
  directoryFor(
    dependencies: readonly { readonly name: string; readonly version: string }[],
    options?: {
      /**
       * A package that must not be reachable: an upstream copy of the task's own sources would give the answer away. What
       * depends on it has to do without, as a test runner does without the package that reads its command line.
       */
      exclude?: string;
    },
  ): Promise<string>;
}

const manifestSchema = z.object({
  name: z.string().optional(),
  version: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
  peerDependencies: z.record(z.string(), z.string()).default({}),
});

/**
 * Assembles closures of packages from an installed tree, for agents and graders alike: a sandbox sees the packages that
 * its task names and no other.
 */
export function createDependencyStore(options: {
  /** An installed `node_modules` folder. */
  nodeModules: string;
  /** Folder for the assembled closures; made when absent. */
  into: string;
}): DependencyStore {
  const root = resolve(options.nodeModules);
  const made = new Map<string, Promise<string>>();
  return {
    async directoryFor(dependencies, { exclude } = {}) {
      const names = dependencies.map(({ name, version }) => `${name}@${version}`).sort();
      if (dependencies.some(({ name }) => name === exclude)) {
        throw new TadpoleError({
          code: 'invalid-input',
          message: `expected dependencies without ${exclude}, whose sources the task is made from, got ${names.join(', ')}`,
        });
      }
      const all = closure(dependencies);
      const places = all.filter((place) => packageAt(place) !== exclude);
      const key = createHash('sha256')
        .update(JSON.stringify([root, names, ...(places.length < all.length ? [exclude] : [])]))
        .digest('hex')
        .slice(0, 32);
      const assembled = made.get(key) ?? assemble(key, places);
      made.set(key, assembled);
      assembled.catch(() => made.delete(key));
      return assembled;
    },
  };

  /** Places of all needed packages, relative to the root. */
  function closure(dependencies: readonly { readonly name: string; readonly version: string }[]): readonly string[] {
    const found = new Set<string>();
    const visit = (place: string) => {
      if (found.has(place)) return;
      found.add(place);
      const manifest = readManifest(join(root, place));
      for (const name of Object.keys(manifest.dependencies)) {
        const next = find(name, place);
        if (next === undefined)
          throw new TadpoleError({ code: 'invalid-input', message: `expected ${name}, which ${place} needs, to be installed in ${root}` });
        visit(next);
      }
      for (const name of Object.keys({ ...manifest.optionalDependencies, ...manifest.peerDependencies })) {
        const next = find(name, place);
        if (next !== undefined) visit(next);
      }
    };
    for (const { name, version } of dependencies) {
      const installed = existsSync(join(root, name, 'package.json')) ? readManifest(join(root, name)).version : undefined;
      if (installed !== version) {
        throw new TadpoleError({
          code: 'invalid-input',
          message: `expected ${name}@${version} in ${root}, found ${installed ?? 'none'}; install exactly that version`,
        });
      }
      visit(name);
    }
    return [...found].sort();
  }

  /** Where Node.js would find a package from another's folder. */
  function find(name: string, from: string): string | undefined {
    for (let folder = from; ; folder = dirname(folder)) {
      const place = folder === '.' ? name : join(folder, 'node_modules', name);
      if (basename(folder) !== 'node_modules' && existsSync(join(root, place, 'package.json'))) return place;
      if (folder === '.') return undefined;
    }
  }

  async function assemble(key: string, places: readonly string[]): Promise<string> {
    const directory = join(resolve(options.into), key);
    if (existsSync(directory)) return directory;
    await mkdir(resolve(options.into), { recursive: true });
    const draft = await mkdtemp(join(resolve(options.into), '.draft-'));
    for (const place of places) {
      const source = join(root, place);
      // Nested packages are copied by themselves, when the closure needs them.
      const filter = (path: string) => !relative(source, path).split('/').includes('node_modules');
      await cp(source, join(draft, place), { recursive: true, dereference: true, filter });
    }
    await openModes(draft);
    try {
      await rename(draft, directory);
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      if (!existsSync(directory)) throw error;
    }
    return directory;
  }
}

/** The package that is installed at a place such as `a/node_modules/@scope/b`. */
function packageAt(place: string): string {
  return place.split('/node_modules/').at(-1) ?? place;
}

function readManifest(directory: string): z.infer<typeof manifestSchema> {
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')));
  } catch (cause) {
    throw new TadpoleError({ code: 'invalid-input', message: `expected a readable package.json in ${directory}`, cause });
  }
}

/** A sandbox's user is not the owner: everything must be readable for others. */
async function openModes(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const child of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, child.name);
    if (child.isDirectory()) await openModes(path);
    else await chmod(path, 0o755);
  }
}
