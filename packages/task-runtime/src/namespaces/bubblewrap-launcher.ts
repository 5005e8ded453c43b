import type { Launcher, Mount } from './launcher.js';

/** User and group id that the command sees as its own; on this machine it is another, unprivileged one. */
export const insideId = 1000;

/**
 * Namespaces by bubblewrap (0.5 or newer): user, mount, pid, network, ipc, uts and cgroup namespaces, no capability,
 * no further user namespaces, a filter on system calls, everything ends with the process that started it.
 *
 * @param options.filterFile - a seccomp program; without it the whole system call surface of an unprivileged process is open.
 */
export function bubblewrapLauncher(options: { path: string; filterFile?: string }): Launcher {
  return {
    name: 'bubblewrap',
    prepare(view) {
      const bind = (flag: string, mounts: readonly Mount[]) => mounts.flatMap(({ source, target }) => [flag, source, target]);
      const { temporary } = view;
      const temporaryFolders =
        'bytes' in temporary
          ? ['/tmp', '/dev/shm'].flatMap((path) => ['--size', String(temporary.bytes), '--perms', '1777', '--tmpfs', path])
          : ['--bind', temporary.tmp, '/tmp', '--bind', temporary.shm, '/dev/shm'];
      const fixed = [
        options.path,
        ...['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session', '--clearenv'],
        ...['--cap-drop', 'ALL', '--uid', String(insideId), '--gid', String(insideId), '--hostname', 'sandbox', '--json-status-fd', '3'],
        ...(options.filterFile === undefined ? [] : ['--seccomp', '4']),
        ...(view.network === 'host' ? ['--share-net'] : []),
        ...bind('--ro-bind', view.systemMounts),
        ...view.links.flatMap(({ path, to }) => ['--symlink', to, path]),
        ...view.hidden.flatMap((path) => ['--size', '4096', '--tmpfs', path, '--remount-ro', path]),
        // Its own small file system, on which only what is mounted below may be written.
        ...['--proc', '/proc', '--dev', '/dev', ...temporaryFolders, '--remount-ro', '/dev'],
        ...bind('--bind', view.writableMounts),
        ...bind('--ro-bind', view.readOnlyMounts),
        ...['--remount-ro', '/'],
      ];
      return {
        setUp: '',
        inputFile: options.filterFile,
        arguments({ command, env }) {
          return [...fixed, ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]), '--', ...command];
        },
        status(text) {
          const first = /"child-pid": (\d+)/.exec(text)?.[1];
          return { started: text.includes('"exit-code"'), ...(first === undefined ? {} : { firstProcess: Number(first) }) };
        },
      };
    },
  };
}
