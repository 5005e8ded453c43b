import { existsSync, readdirSync } from 'node:fs';
import { isTestPath } from './path-roles.js';

/** Folders of the Python that sandboxes see, by the layout of Debian and of Python itself. */
export function systemPackageFolders(): readonly string[] {
  const versions = (folder: string) => (existsSync(folder) ? readdirSync(folder).filter((name) => /^python3(\.\d+)?$/.test(name)) : []);
  const packages = ['dist-packages', 'site-packages'];
  return [
    ...versions('/usr/lib').flatMap((name) =>
      ['', '/lib-dynload', ...packages.map((folder) => `/${folder}`)].map((end) => `/usr/lib/${name}${end}`),
    ),
    ...versions('/usr/local/lib').flatMap((name) => packages.map((folder) => `/usr/local/lib/${name}/${folder}`)),
  ];
}

/** Modules that stand at the root of a repository or of its `src`. */
export function topModules(paths: readonly string[]): ReadonlySet<string> {
  return new Set(paths.flatMap((path) => /^(?:src\/)?([A-Za-z_]\w*)(?:\/__init__)?\.py$/.exec(path)?.[1] ?? []));
}

/** A module of the repository that every sandbox finds among the system's packages too, which would give the answer away. */
export function installedCopy(options: { own: ReadonlySet<string>; systemPackages: readonly string[] }): string | undefined {
  const folders = options.systemPackages.filter((folder) => /(dist|site)-packages\/?$/.test(folder));
  const installed = new Set(folders.flatMap((folder) => [...modulesOf(folder).keys()]));
  return [...options.own].find((name) => installed.has(name) && !isTestPath(`${name}.py`) && name !== 'setup');
}

/** Names of the modules in a folder, each with its entry and the metadata beside it. */
export function modulesOf(folder: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  if (!existsSync(folder)) return found;
  const names = readdirSync(folder);
  for (const entry of names) {
    const name = /^([A-Za-z_]\w*)(\.py|\.cpython[\w-]*\.so|\.abi3\.so)?$/.exec(entry)?.[1];
    if (name !== undefined) found.set(name, [...(found.get(name) ?? []), entry]);
  }
  for (const entry of names) {
    const module = /^(.+?)-[^-]+.*\.(dist|egg)-info$/.exec(entry)?.[1]?.replace(/[-.]/g, '_');
    if (module !== undefined) found.get(module)?.push(entry);
  }
  return found;
}
