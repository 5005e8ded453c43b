import { dirname, posix } from 'node:path';
import type { Snapshot } from '@tadpole/contracts';

/**
 * Finds the module of the package that an import in one of its tests means.
 * @returns a function from a specifier to the module's path, `''` for the package's main module where no listed source is
 * found for it, and `null` for what the package does not hold: built-in modules, libraries, helpers of the tests.
 */
export function createModuleResolver(options: {
  snapshot: Pick<Snapshot, 'source' | 'sourceFiles'>;
  testFile: string;
}): (specifier: string) => string | null {
  const { snapshot, testFile } = options;
  const sources = new Set(snapshot.sourceFiles);
  const folder = dirname(testFile);
  if (testFile.endsWith('.py')) {
    return (specifier) => {
      const dots = /^\.*/.exec(specifier)?.[0].length ?? 0;
      const path = specifier.slice(dots).replaceAll('.', '/');
      const bases = dots > 0 ? [posix.join(folder, ...Array<string>(dots - 1).fill('..'))] : ['', 'src'];
      return firstOf(
        sources,
        bases.flatMap((base) => [`${posix.join(base, path)}.py`, posix.join(base, path, '__init__.py')]),
      );
    };
  }
  const name = snapshot.source.replace(/(?!^)@[^@]*$/, '');
  return (specifier) => {
    const isOwn = specifier === name || specifier.startsWith(`${name}/`);
    if (!isOwn && !/^\.{1,2}(\/|$)/.test(specifier)) return null;
    const path = posix.normalize(isOwn ? `.${specifier.slice(name.length)}` : posix.join(folder, specifier)).replace(/\/$/, '');
    const found = firstOf(sources, [
      path,
      ...extensions.map((end) => `${path}${end}`),
      ...extensions.map((end) => posix.join(path, `index${end}`)),
    ]);
    const asTypeScript = /\.[cm]?js$/.test(path) ? firstOf(sources, [path.replace(/js$/, 'ts'), path.replace(/\.js$/, '.tsx')]) : null;
    return found ?? asTypeScript ?? (path === '.' ? '' : null);
  };
}

const extensions = ['.js', '.ts', '.cjs', '.mjs', '.cts', '.mts', '.tsx', '.jsx'];

function firstOf(sources: ReadonlySet<string>, paths: readonly string[]): string | null {
  return paths.find((path) => sources.has(path)) ?? null;
}
