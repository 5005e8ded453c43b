import type { Launcher, Mount } from './launcher.js';

/** User and group id that the command sees as its own; on this machine it is another, unprivileged one. */
export const insideId = 1000;

/**
 * Namespaces by bubblewrap (0.5 or newer): user, mount, pid, network, ipc, uts and cgroup namespaces, no capability,
 * no further user namespaces, everything ends with the process that started it.
 *
 * Not covered: no seccomp filter, so the whole system call surface of an unprivileged process stays open.
 */
export function bubblewrapLauncher(options: { path: string }): Launcher {
  return {
    name: 'bubblewrap',
    async prepare(view) {
      const bind = (flag: string, mounts: readonly Mount[]) => mounts.flatMap(({ source, target }) => [flag, source, target]);
      const shared = Math.min(view.temporaryBytes, 67_108_864);
      const fixed = [
        options.path,
        ...['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session', '--clearenv'],
        ...['--cap-drop', 'ALL', '--uid', String(insideId), '--gid', String(insideId), '--hostname', 'sandbox', '--json-status-fd', '3'],
        ...(view.network === 'host' ? ['--share-net'] : []),
        ...bind('--ro-bind', view.systemMounts),
        ...view.links.flatMap(({ path, to }) => ['--symlink', to, path]),
        ...view.hidden.flatMap((path) => ['--size', '4096', '--tmpfs', path, '--remount-ro', path]),
        ...['--proc', '/proc', '--dev', '/dev'],
        ...['--size', String(view.temporaryBytes), '--perms', '1777', '--tmpfs', '/tmp'],
        ...['--size', String(shared), '--perms', '1777', '--tmpfs', '/dev/shm'],
        ...bind('--bind', view.writableMounts),
        ...bind('--ro-bind', view.readOnlyMounts),
        ...['--remount-ro', '/'],
      ];
      return {
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
