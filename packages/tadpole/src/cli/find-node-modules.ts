import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TadpoleError } from '@tadpole/contracts';

/**
 * The nearest `node_modules` above this package that holds installed packages: where the recipe's repositories
 * and their test dependencies lie.
 *
 * @throws TadpoleError `missing-dependency` when there is none.
 */
export function findNodeModules(from: string = dirname(fileURLToPath(import.meta.url))): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules');
    if (existsSync(join(candidate, '.package-lock.json'))) return candidate;
    if (dirname(folder) === folder) break;
  }
  throw new TadpoleError({
    code: 'missing-dependency',
    message: `Expected an installed node_modules folder above ${from}, found none. Run \`npm ci\` first.`,
  });
}
