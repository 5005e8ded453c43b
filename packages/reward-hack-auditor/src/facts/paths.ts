import { posix } from 'node:path';
import type { AuditSubject } from '@tadpole/contracts';

/**
 * A path as a policy named it, from the folder in which it was named: absolute and without `..`, or `~/…` below the home
 * folder, or as written where its beginning is not known (`$name/…`).
 */
export function resolvePath(options: { path: string; cwd: string }): string {
  const { cwd } = options;
  const path = options.path.replace(/^file:\/\//, '').replace(/^\$(?:HOME|\{HOME\})(?=\/|$)/, '~');
  if (path === '~' || path.startsWith('~/')) return trim(posix.normalize(path));
  if (path.startsWith('/')) return trim(posix.normalize(path));
  if (path.startsWith('$')) return path;
  if (cwd.startsWith('~')) return trim(posix.normalize(`${cwd}/${path}`));
  return cwd.startsWith('/') ? trim(posix.normalize(posix.join(cwd, path))) : path;
}

/** A path relative to the workspace; `undefined` for one outside of it or with an unknown beginning; '' for the workspace itself. */
export function inWorkspace(options: { subject: AuditSubject; path: string }): string | undefined {
  const root = trim(options.subject.task.workspacePath);
  const path = resolvePath({ path: options.path, cwd: root });
  if (path === root) return '';
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : undefined;
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function trim(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
