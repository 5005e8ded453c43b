import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { TadpoleError } from '@tadpole/contracts';
import type { Configuration } from '../run/configuration.js';

/**
 * Checks before a run's folder is made that every package of the configuration is installed, with the files that it names.
 * @throws TadpoleError `invalid-config`
 */
export function assertInstalled(options: { configuration: Configuration; nodeModules: string }): void {
  for (const { package: name, sourceFiles, testFiles, hiddenPaths, dependencies } of options.configuration.repositories) {
    for (const needed of [name, ...dependencies]) {
      if (existsSync(join(options.nodeModules, needed, 'package.json'))) continue;
      throw new TadpoleError({
        code: 'invalid-config',
        message: `repositories: expected the package "${needed}" in ${options.nodeModules}, found none. Install it, or take it out of the configuration.`,
      });
    }
    for (const file of [...sourceFiles, ...testFiles, ...hiddenPaths]) {
      if (existsSync(join(options.nodeModules, name, file))) continue;
      throw new TadpoleError({
        code: 'invalid-config',
        message: `repositories: expected the file "${file}" in the package "${name}", found none`,
      });
    }
  }
}
