import type { Network, SandboxLimits } from '@tadpole/contracts';
import type Dockerode from 'dockerode';
import type { Mount } from '../namespaces/launcher.js';

/** User that commands of a sandbox run as. */
export const agentUser = { uid: 1000, gid: 1000 } as const;
/** User that the runner and what prepares a sandbox run as, with few capabilities. */
export const rootUser = { uid: 0, gid: 0 } as const;

/** Folder of the runtime inside a container: the pristine repository, out of the commands' reach. */
export const runtimeFolder = '/opt/tadpole';
/** Where a Node.js of the engine's machine is bound. */
export const boundNode = '/opt/node/bin/node';

/** Processes and threads that are not the commands': the first process, its child, and the runner with its few threads. */
const ownProcesses = 6;
/** Memory of the runner. */
const ownMemoryBytes = 134_217_728;
const pageBytes = 4096;

/** The first process adopts and reaps what commands leave behind. Its last word lets the runner know the namespace. */
const firstProcess = ['/bin/sh', '-c', 'exec >/dev/null 2>&1; while :; do sleep 2147483647 & wait; done', 'tadpole-sandbox'];

/** What a container needs to hold beside what commands write. */
export interface BaseSize {
  readonly bytes: number;
  readonly entries: number;
  /** Bytes and entries of its repository alone. */
  readonly repositoryBytes: number;
  readonly repositoryEntries: number;
}

/**
 * How an engine makes the container of a sandbox: no network, no capability but those that the runner needs to become the
 * commands' user, a read-only root, and memory file systems for all that is written. What may be written is divided between
 * workspace (5/8), `/tmp` (2/8) and `/dev/shm` (1/8), as an engine offers no common quota; so together they hold to the limit.
 */
export function containerOptions(options: {
  name: string;
  image: string;
  /** Volumes that the image declares; they would be writable without a bound. */
  imageVolumes: readonly string[];
  labels: Readonly<Record<string, string>>;
  workspacePath: string;
  base: BaseSize;
  limits: SandboxLimits;
  network: Network;
  readOnlyMounts: readonly Mount[];
  writableMounts: readonly Mount[];
  /** False for podman, which takes no limit on inodes. */
  limitsFiles: boolean;
}): Dockerode.ContainerCreateOptions {
  const { base, limits, workspacePath } = options;
  const inodes = (count: number) => (options.limitsFiles ? `,nr_inodes=${Math.max(16, Math.floor(count))}` : '');
  const memoryFolder = (words: string, bytes: number, entries: number) =>
    `${words},nosuid,nodev,size=${Math.max(1, Math.floor(bytes / pageBytes)) * pageBytes}${inodes(entries)}`;
  const written = (eighths: number) => [(limits.writtenBytes * eighths) / 8, (limits.writtenFiles * eighths) / 8] as const;
  const [workspaceBytes, workspaceFiles] = written(5);
  // A patch is made of all that may have been written, beside the repository and a copy of it.
  const runtimeBytes = 2 * base.repositoryBytes + 2 * limits.writtenBytes + 16_777_216;
  const memory = limits.memoryBytes + base.bytes + limits.writtenBytes + base.repositoryBytes + ownMemoryBytes;
  const sealed = ['/var/tmp', ...options.imageVolumes].filter((path) => path !== workspacePath && path !== '/tmp');
  return {
    name: options.name,
    Image: options.image,
    Entrypoint: firstProcess,
    Cmd: [],
    User: '0:0',
    WorkingDir: '/',
    Hostname: 'sandbox',
    Labels: { ...options.labels },
    Healthcheck: { Test: ['NONE'] },
    HostConfig: {
      ...(options.network === 'none' ? { NetworkMode: 'none' } : {}),
      CapDrop: ['ALL'],
      CapAdd: ['CHOWN', 'SETGID', 'SETUID'],
      SecurityOpt: ['no-new-privileges'],
      ReadonlyRootfs: true,
      PidsLimit: limits.processes + ownProcesses,
      Memory: memory,
      MemorySwap: memory,
      Ulimits: [
        { Name: 'nofile', Soft: 1024, Hard: 1024 },
        { Name: 'core', Soft: 0, Hard: 0 },
        { Name: 'nproc', Soft: 32_768, Hard: 32_768 },
      ],
      Tmpfs: {
        ...Object.fromEntries(sealed.map((path) => [path, 'ro,size=4096'])),
        [workspacePath]: memoryFolder('rw,exec,mode=0755', base.bytes + workspaceBytes, base.entries + workspaceFiles),
        '/tmp': memoryFolder('rw,exec,mode=1777', ...written(2)),
        '/dev/shm': memoryFolder('rw,noexec,mode=1777', ...written(1)),
        [runtimeFolder]: memoryFolder('rw,noexec,mode=0755', runtimeBytes, 2 * base.repositoryEntries + 2 * limits.writtenFiles + 1024),
      },
      Mounts: [...options.readOnlyMounts.map(bind(true)), ...options.writableMounts.map(bind(false))],
    },
  };
}

function bind(isReadOnly: boolean) {
  return ({ source, target }: Mount) => ({ Type: 'bind' as const, Source: source, Target: target, ReadOnly: isReadOnly });
}
