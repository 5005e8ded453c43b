import { lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Launcher, Mount, SandboxView } from './launcher.js';

const devices = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];

const setUp = `set -e
mount -n -a -T "$1"
cd "$2"
pivot_root . oldroot
umount -n -l /oldroot
hostname sandbox
if [ -n "$3" ]; then "$3" link set lo up; fi
shift 3
exec setpriv --bounding-set=-all --inh-caps=-all --no-new-privs -- "$@"`;

// The first process inside waits, so that the command is an ordinary process with ordinary signals.
const firstProcess = 'echo started >&3; exec 3>&-; "$@"; exit $?';

/**
 * Namespaces by `unshare`, `mount`, `pivot_root` and `setpriv` of util-linux (2.36 or newer): the same set as bubblewrap's,
 * for machines without it. The command sees itself as user 0 of its user namespace, without any capability.
 *
 * Not covered: no seccomp filter; further user namespaces are not forbidden; without `ip` the loopback interface stays down.
 */
export function unshareLauncher(options: { unshare: string; setpriv: string; shell: string; env: string; ip?: string }): Launcher {
  return {
    name: 'unshare',
    async prepare(view) {
      const root = join(view.directory, 'root');
      const table = join(view.directory, 'fstab');
      makeSkeleton(root, view);
      writeFileSync(table, mountTable(root, view));
      const fixed = [
        ...[options.setpriv, '--pdeathsig', 'KILL', '--no-new-privs', '--', options.unshare],
        ...['--user', '--map-root-user', '--mount', '--pid', '--ipc', '--uts', '--cgroup', '--fork', '--kill-child=KILL'],
        ...(view.network === 'none' ? ['--net'] : []),
        ...[options.shell, '-c', setUp, 'sh', table, root, view.network === 'none' ? (options.ip ?? '') : ''],
      ];
      return {
        arguments({ command, env }) {
          const assignments = Object.entries(env).map(([name, value]) => `${name}=${value}`);
          return [...fixed, options.env, '-i', ...assignments, options.shell, '-c', firstProcess, 'sh', ...command];
        },
        status: (text) => ({ started: text.includes('started') }),
      };
    },
  };
}

/** An empty root with a mount point for everything that will be mounted on it. */
function makeSkeleton(root: string, view: SandboxView): void {
  for (const folder of ['proc', 'tmp', 'dev/shm', 'oldroot']) mkdirSync(join(root, folder), { recursive: true });
  for (const device of devices) writeFileSync(join(root, 'dev', device), '');
  const streams = { fd: 'fd', stdin: 'fd/0', stdout: 'fd/1', stderr: 'fd/2' };
  for (const [name, target] of Object.entries(streams)) symlinkSync(`/proc/self/${target}`, join(root, 'dev', name));
  for (const { path, to } of view.links) symlinkSync(to, join(root, path));
  const mounts = [...view.systemMounts, ...view.writableMounts, ...view.readOnlyMounts];
  for (const mount of mounts) {
    const parent = mounts.findLast((other) => mount.target.startsWith(`${other.target}/`));
    // A mount point below another mount stands in that mount's source.
    const point = parent === undefined ? join(root, mount.target) : join(parent.source, mount.target.slice(parent.target.length));
    if (lstatSync(point, { throwIfNoEntry: false }) !== undefined) continue;
    if (lstatSync(mount.source).isDirectory()) mkdirSync(point, { recursive: true });
    else {
      mkdirSync(dirname(point), { recursive: true });
      writeFileSync(point, '');
    }
  }
}

function mountTable(root: string, view: SandboxView): string {
  const readOnly = 'bind,ro,nosuid,nodev';
  const shared = Math.min(view.temporaryBytes, 67_108_864);
  const bind = (mounts: readonly Mount[], how: string) => mounts.map(({ source, target }) => [source, join(root, target), 'none', how]);
  const lines = [
    [root, root, 'none', readOnly],
    ...bind(view.systemMounts, readOnly),
    ...view.hidden.map((path) => ['tmpfs', join(root, path), 'tmpfs', 'ro,nosuid,nodev,size=4k']),
    ['proc', join(root, 'proc'), 'proc', 'nosuid,nodev,noexec'],
    ...devices.map((device) => [`/dev/${device}`, join(root, 'dev', device), 'none', 'bind']),
    ['tmpfs', join(root, 'tmp'), 'tmpfs', `nosuid,nodev,mode=1777,size=${view.temporaryBytes}`],
    ['tmpfs', join(root, 'dev/shm'), 'tmpfs', `nosuid,nodev,mode=1777,size=${shared}`],
    ...bind(view.writableMounts, 'bind,nosuid,nodev'),
    ...bind(view.readOnlyMounts, readOnly),
  ];
  return `${lines.map((fields) => `${fields.map(escapeField).join(' ')} 0 0`).join('\n')}\n`;
}

/** fstab(5): blanks, tabs, newlines and backslashes are octal escapes. */
function escapeField(field: string): string {
  return field.replace(/[\s\\#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);
}
