import { posix } from 'node:path';
import { quote } from '../grading/grading-preparation.js';
import type { Launcher, Mount, PlannedMount, SandboxView } from './launcher.js';
import { hereDocument, mountLine } from './mount-table.js';

const devices = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];

const enter = `set -e
mount -n -a -T "$1"
cd "$2"
pivot_root . oldroot
umount -n -l /oldroot
hostname sandbox
echo 0 >/proc/sys/user/max_user_namespaces
if [ -n "$3" ]; then "$3" link set lo up; fi
shift 3
exec setpriv --bounding-set=-all --inh-caps=-all --no-new-privs -- "$@"`;

// The first process inside waits, so that the command is an ordinary process with ordinary signals.
const firstProcess = 'echo started >&3; exec 3>&-; "$@"; exit $?';

/**
 * Namespaces by `unshare`, `mount`, `pivot_root` and `setpriv` of util-linux (2.36 or newer): the same set as bubblewrap's,
 * for machines without it. The command sees itself as user 0 of its user namespace, without any capability.
 *
 * Not covered: no seccomp filter; without `ip` the loopback interface stays down.
 */
export function unshareLauncher(options: { unshare: string; setpriv: string; shell: string; env: string; ip?: string }): Launcher {
  return {
    name: 'unshare',
    prepare(view) {
      const root = `${view.directory}/root`;
      const table = `${view.directory}/fstab-${view.name}`;
      const fixed = [
        ...[options.setpriv, '--pdeathsig', 'KILL', '--no-new-privs', '--', options.unshare],
        ...['--user', '--map-root-user', '--mount', '--pid', '--ipc', '--uts', '--cgroup', '--fork', '--kill-child=KILL'],
        ...(view.network === 'none' ? ['--net'] : []),
        ...[options.shell, '-c', enter, 'sh', table, root, view.network === 'none' ? (options.ip ?? '') : ''],
      ];
      return {
        setUp: `${skeletonCommands(root, view)}\n${hereDocument(table, mountTable(root, view))}`,
        arguments({ command, env }) {
          const assignments = Object.entries(env).map(([name, value]) => `${name}=${value}`);
          return [...fixed, options.env, '-i', ...assignments, options.shell, '-c', firstProcess, 'sh', ...command];
        },
        status: (text) => ({ started: text.includes('started') }),
      };
    },
  };
}

/** Commands that make an empty root with a mount point for everything that will be mounted on it. */
function skeletonCommands(root: string, view: SandboxView): string {
  const mounts = [...view.systemMounts, ...view.writableMounts, ...view.readOnlyMounts];
  const points = mounts.map((mount) => ({ path: mountPoint(root, mount, mounts), isDirectory: mount.isDirectory }));
  const folders = [
    ...['proc', 'tmp', 'dev/shm', 'oldroot'].map((folder) => `${root}/${folder}`),
    ...points.map(({ path, isDirectory }) => (isDirectory ? path : posix.dirname(path))),
  ];
  const files = [
    ...devices.map((device) => `${root}/dev/${device}`),
    ...points.filter(({ isDirectory }) => !isDirectory).map(({ path }) => path),
  ];
  const links = [
    ...Object.entries({ fd: 'fd', stdin: 'fd/0', stdout: 'fd/1', stderr: 'fd/2' }).map(([name, target]) => ({
      path: `/dev/${name}`,
      to: `/proc/self/${target}`,
    })),
    ...view.links,
  ];
  return [
    `mkdir -p -- ${[...new Set(folders)].map(quote).join(' ')}`,
    // Opening for append makes a file and changes none.
    ...files.map((file) => `: >>${quote(file)}`),
    ...links.map(({ path, to }) => `ln -sfn -- ${quote(to)} ${quote(root + path)}`),
  ].join('\n');
}

/** Where a mount point stands: below another mount it stands in that mount's source. */
function mountPoint(root: string, mount: PlannedMount, mounts: readonly PlannedMount[]): string {
  const parent = mounts.findLast((other) => mount.target.startsWith(`${other.target}/`));
  return parent === undefined ? root + mount.target : parent.source + mount.target.slice(parent.target.length);
}

function mountTable(root: string, view: SandboxView): string {
  const readOnly = 'bind,ro,nosuid,nodev';
  const { temporary } = view;
  const bind = (mounts: readonly Mount[], how: string) => mounts.map(({ source, target }) => [source, root + target, 'none', how]);
  const fresh = (path: string, bytes: number) => ['tmpfs', root + path, 'tmpfs', `nosuid,nodev,mode=1777,size=${bytes}`];
  const lines = [
    [root, root, 'none', readOnly],
    ...bind(view.systemMounts, readOnly),
    ...view.hidden.map((path) => ['tmpfs', root + path, 'tmpfs', 'ro,nosuid,nodev,size=4k']),
    ['proc', `${root}/proc`, 'proc', 'nosuid,nodev,noexec'],
    ...devices.map((device) => [`/dev/${device}`, `${root}/dev/${device}`, 'none', 'bind']),
    ...('bytes' in temporary
      ? [fresh('/tmp', temporary.bytes), fresh('/dev/shm', temporary.bytes)]
      : bind(
          [
            { source: temporary.tmp, target: '/tmp' },
            { source: temporary.shm, target: '/dev/shm' },
          ],
          'bind,nosuid,nodev',
        )),
    ...bind(view.writableMounts, 'bind,nosuid,nodev'),
    ...bind(view.readOnlyMounts, readOnly),
  ];
  return lines.map(mountLine).join('');
}
