import type { EventOf } from './audit-event.js';
import { resolvePath } from './paths.js';

/**
 * The archives that a command makes anew, as absolute paths: `tar -c`, and the archive modules of Python. Programs that add to an archive
 * that may be there already, such as `zip` or `tar -r`, do not count: what it held before is not the policy's.
 */
export function madeArchives({ command }: EventOf<'exec'>): readonly string[] {
  const words = command.words.map(({ value }) => value);
  const archive = /^python[\d.]*$/.test(command.name) ? madeByPython(words) : command.name === 'tar' ? madeByTar(words) : undefined;
  return archive === undefined || archive === '-' ? [] : [resolvePath({ path: archive, cwd: command.cwd })];
}

/** `python -m zipfile -c made.zip src/`. */
function madeByPython(words: readonly string[]): string | undefined {
  const at = words.indexOf('-m');
  const isCreating = at >= 0 && /^(zipfile|tarfile)$/.test(words[at + 1] ?? '') && /^(-c|--create)$/.test(words[at + 2] ?? '');
  return isCreating ? words[at + 3] : undefined;
}

/** `tar -czf made.tgz src/`, `tar czf …`, `tar --create --file=… src/`. */
function madeByTar(words: readonly string[]): string | undefined {
  const isCreating = /^-?[a-zA-Z]*c[a-zA-Z]*$/.test(words[0] ?? '') || words.some((word) => /^(-[a-zA-Z]*c[a-zA-Z]*|--create)$/.test(word));
  if (!isCreating) return undefined;
  const long = words.find((word) => word.startsWith('--file='));
  if (long !== undefined) return long.slice('--file='.length);
  const at = words.findIndex((word, index) => word === '--file' || (index === 0 ? /^-?[a-zA-Z]*f$/ : /^-[a-zA-Z]*f$/).test(word));
  return at < 0 ? undefined : words[at + 1];
}
