import {
  type Containment,
  type ContainmentId,
  isTadpoleError,
  type OwnedSandbox,
  type SandboxLimits,
  type TadpoleError,
} from '@tadpole/contracts';
import { connectEngine, type DockerEngine } from './docker-engine.js';

const probeLimits: SandboxLimits = {
  processes: 16,
  memoryBytes: 268_435_456,
  cpuSeconds: 5,
  timeoutMs: 30_000,
  fileBytes: 1_048_576,
  writtenBytes: 16_777_216,
  writtenFiles: 1000,
  outputBytes: 65_536,
};

const probe = `grep -E '^(CapEff|NoNewPrivs|Seccomp):' /proc/self/status
echo interfaces=$(ls /proc/sys/net/ipv4/conf 2>/dev/null | grep -v -E '^(all|default|lo)$' | wc -l)
for folder in / /usr /etc /opt /opt/tadpole /var/tmp; do touch $folder/.probe 2>/dev/null && echo root-writable; done
echo inodes=$(stat -f -c %c .)
unshare -U true 2>/dev/null && echo nested-namespace
true`;

type Claim = readonly [id: ContainmentId, holds: boolean, how: string, why: string];

/** Opens a sandbox on every engine that answers, looks around in it, and says what holds on all of them. */
export async function describeDocker(options: {
  engines: readonly DockerEngine[];
  /** Opens a sandbox on the engine with that index. */
  open: (index: number, limits: SandboxLimits) => Promise<OwnedSandbox>;
}): Promise<Containment> {
  const described: { name: string; claims: readonly Claim[] }[] = [];
  const failures: TadpoleError[] = [];
  for (const [index, engine] of options.engines.entries()) {
    try {
      const { name, isPodman } = await connectEngine(engine);
      const sandbox = await options.open(index, probeLimits);
      try {
        const { stdout } = await sandbox.run({ command: probe });
        described.push({ name: `${name} (${isPodman ? 'podman' : 'dockerd'})`, claims: claimsOf(stdout) });
      } finally {
        await sandbox.dispose();
      }
    } catch (error) {
      if (!isTadpoleError(error)) throw error;
      failures.push(error);
    }
  }
  const [first] = described;
  if (first === undefined) throw failures[0];
  const enforced: Containment['enforced'][number][] = [];
  const notEnforced: Containment['notEnforced'][number][] = [];
  for (const [index, [id, , how, why]] of first.claims.entries()) {
    const failing = described.filter(({ claims }) => !claims[index]?.[1]).map(({ name }) => name);
    if (failing.length === 0) enforced.push({ id, how });
    else notEnforced.push({ id, why: described.length === 1 ? why : `${why} on ${failing.join(', ')}` });
  }
  return {
    provider: `docker (${described.map(({ name }) => name).join(', ')})`,
    enforced,
    notEnforced,
    notes: [
      'commands of one sandbox run one at a time',
      'sandboxes of one user share what the kernel counts by user: inotify instances, descriptors in flight, pipe buffers',
      'the memory limit counts what is written as well, and is raised by it',
      'written bytes and files are divided: 5/8 for the workspace, 2/8 for /tmp, 1/8 for /dev/shm',
      ...failures.map((failure) => failure.message),
    ],
  };
}

function claimsOf(seen: string): readonly Claim[] {
  const value = (name: string) => new RegExp(`^${name}[:=]\\s*(\\S+)$`, 'm').exec(seen)?.[1];
  const says = (word: string) => seen.split('\n').includes(word);
  const isBare = /^0+$/.test(value('CapEff') ?? 'x') && value('NoNewPrivs') === '1';
  const inodes = Number(value('inodes'));
  return [
    ['network', value('interfaces') === '0', 'no network but loopback', 'an interface is visible'],
    ['host-files', true, 'the image and what was mounted alone', ''],
    ['system-files', !says('root-writable'), 'a read-only root', 'a write outside the workspace succeeded'],
    ['environment', true, "the image's variables and our own", ''],
    ['base', true, 'a copy, with the pristine repository out of reach', ''],
    ['privileges', isBare, 'no capability and no_new_privs', 'the command holds or may gain capabilities'],
    ['namespaces', !says('nested-namespace'), 'refused when tried', 'the engine allows nested user namespaces'],
    ['system-calls', value('Seccomp') === '2', "the engine's seccomp profile", 'the engine sets no seccomp filter'],
    ['devices', true, 'no capability, and only the harmless devices', ''],
    ['processes', true, 'control group of the container', ''],
    ['memory', true, 'control group of the container', ''],
    ['process-memory', true, 'control group of the container', ''],
    ['cpu-time', true, 'a resource limit of each process', ''],
    ['wall-time', true, 'the runner kills', ''],
    ['file-size', true, 'a resource limit of each process', ''],
    ['written-bytes', true, 'memory file systems of bounded size', ''],
    [
      'written-files',
      inodes > 0 && inodes < 100_000,
      'memory file systems of bounded inodes',
      'the engine takes no limit on inodes; memory bounds them',
    ],
    ['output', true, 'the runner counts', ''],
    ['survivors', true, 'all processes of the user are killed at one moment after each call, and that is verified', ''],
    ['runner', true, 'another user, root of the container', ''],
    ['signals', true, 'a pid namespace', ''],
  ];
}
