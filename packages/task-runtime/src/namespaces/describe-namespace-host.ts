import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Containment, type ContainmentId, containmentIdSchema, type SandboxProvider } from '@tadpole/contracts';
import type { NamespaceHost } from './namespace-host.js';

const probeLimits = {
  processes: 16,
  memoryBytes: 268_435_456,
  cpuSeconds: 5,
  timeoutMs: 10_000,
  fileBytes: 1_048_576,
  writtenBytes: 16_777_216,
  writtenFiles: 1000,
  outputBytes: 65_536,
};

const probe = `echo uid=$(id -u); grep -E '^(CapEff|NoNewPrivs|Seccomp):' /proc/self/status
echo interfaces=$(ls /proc/sys/net/ipv4/conf 2>/dev/null | grep -v -E '^(all|default|lo)$' | wc -l)
touch /usr/.probe 2>/dev/null && echo usr-writable
touch /.probe 2>/dev/null && echo root-writable
echo namespaces=$(unshare --user true 2>/dev/null && echo 1 || echo 0)
echo environment=$(tr '\\0' '\\n' </proc/1/environ 2>/dev/null | grep -v -c -E '^(PATH|HOME|TMPDIR|USER|LANG|TZ|PWD|SHLVL|OLDPWD|_)=')
true`;

/** Opens one sandbox, looks around in it, and says what is contained on this machine and what is not. */
export async function describeNamespaceHost(options: { host: NamespaceHost; open: SandboxProvider['open'] }): Promise<Containment> {
  const { host } = options;
  const workspace = mkdtempSync(join(host.scratchDirectory, '.probe-'));
  const enforced: Containment['enforced'][number][] = [];
  const notEnforced: Containment['notEnforced'][number][] = [];
  let value = (_name: string): string | undefined => undefined;
  const claim = (holds: boolean, id: ContainmentId, how: string, why: string) => {
    if (holds) enforced.push({ id, how });
    else notEnforced.push({ id, why });
  };
  try {
    const sandbox = await options.open({ environment: { workspace }, limits: probeLimits });
    try {
      const { stdout } = await sandbox.run({ command: probe });
      value = (name) => new RegExp(`^${name}[:=]\\s*(\\S+)$`, 'm').exec(stdout)?.[1];
      claim(value('interfaces') === '0', 'network', 'a network namespace without an interface but loopback', 'an interface is visible');
      claim(!/-writable$/m.test(stdout), 'system-files', 'read-only bind mounts', 'a write outside the workspace succeeded');
      const isBare = /^0+$/.test(value('CapEff') ?? 'x') && value('NoNewPrivs') === '1';
      claim(isBare, 'privileges', 'no capability and no_new_privs', 'the command holds or may gain capabilities');
      claim(value('environment') === '0', 'environment', 'the launcher starts without one', 'further variables are visible');
      claim(value('Seccomp') === '2', 'system-calls', 'seccomp', 'no seccomp filter: the kernel is the boundary');
    } finally {
      await sandbox.dispose();
    }
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
  const groups = host.controlGroups;
  enforced.push(
    { id: 'survivors', how: 'a pid namespace for each call, ended with its first process and verified' },
    { id: 'signals', how: 'a pid namespace for each call' },
    { id: 'host-files', how: 'a mount namespace of what was mounted alone' },
    { id: 'devices', how: 'no capability, and only the harmless devices' },
    { id: 'runner', how: 'files are served by processes of their own, in other pid namespaces' },
    { id: 'wall-time', how: 'this process kills' },
    { id: 'output', how: 'this process counts' },
    { id: 'cpu-time', how: 'a resource limit of each process' },
    { id: 'file-size', how: 'a resource limit of each process' },
    {
      id: 'process-memory',
      how: groups === null ? 'a resource limit of each process' : `control group v${groups.version}, with all others`,
    },
    {
      id: 'processes',
      how: groups === null ? 'resource limit within the user namespace' : `control group v${groups.version} and resource limit`,
    },
    { id: 'base', how: host.layering === 'overlay' ? 'overlay file system' : 'a copy of the workspace' },
  );
  enforced.push(
    { id: 'written-bytes', how: 'one tmpfs for workspace, temporary folders and shared memory' },
    { id: 'written-files', how: 'the inodes of that tmpfs' },
  );
  claim(
    groups !== null || value('Seccomp') === '2',
    'memory',
    groups === null
      ? 'this process looks every 50 ms and kills; a process that allocates faster is bounded alone'
      : `control group v${groups.version}`,
    'no control group can be made, and without a filter on system calls there is memory that nobody sees; each process is bounded',
  );
  claim(value('namespaces') === '0', 'namespaces', 'further user namespaces are forbidden', 'a further user namespace could be made');
  const notes = [
    'sandboxes of one user share what the kernel counts by user: inotify instances, descriptors in flight, pipe buffers',
    ...(host.owner === undefined ? ['this process is not root: commands run as its own user'] : []),
    ...(host.hasLoopback ? [] : ['loopback is down inside: the program ip is missing']),
  ];
  const inOrder = <Entry extends { id: ContainmentId }>(entries: readonly Entry[]) =>
    containmentIdSchema.options.flatMap((id) => entries.filter((entry) => entry.id === id));
  return { provider: `namespaces (${host.launcher.name})`, enforced: inOrder(enforced), notEnforced: inOrder(notEnforced), notes };
}
