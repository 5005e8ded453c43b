import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Containment, SandboxProvider } from '@tadpole/contracts';
import type { NamespaceHost } from './namespace-host.js';

const probeLimits = {
  processes: 16,
  memoryBytes: 268_435_456,
  cpuSeconds: 5,
  timeoutMs: 10_000,
  fileBytes: 1_048_576,
  outputBytes: 65_536,
};

const probe = `echo uid=$(id -u); grep -E '^(CapEff|NoNewPrivs|Seccomp):' /proc/self/status
echo interfaces=$(ls /proc/sys/net/ipv4/conf 2>/dev/null | grep -v -E '^(all|default|lo)$' | wc -l)
touch /usr/.probe 2>/dev/null && echo usr-writable
touch /.probe 2>/dev/null && echo root-writable
echo environment=$(tr '\\0' '\\n' </proc/1/environ 2>/dev/null | grep -v -c -E '^(PATH|HOME|TMPDIR|USER|LANG|TZ|PWD|SHLVL|OLDPWD|_)=')
true`;

/** Opens one sandbox, looks around in it, and says what is contained on this machine and what is not. */
export async function describeNamespaceHost(options: { host: NamespaceHost; open: SandboxProvider['open'] }): Promise<Containment> {
  const { host } = options;
  const workspace = mkdtempSync(join(host.scratchDirectory, '.probe-'));
  const enforced: { what: string; how: string }[] = [];
  const notEnforced: { what: string; why: string }[] = [];
  const claim = (holds: boolean, what: string, how: string, why: string) => {
    if (holds) enforced.push({ what, how });
    else notEnforced.push({ what, why });
  };
  try {
    const sandbox = await options.open({ environment: { workspace }, limits: probeLimits });
    try {
      const { stdout } = await sandbox.run({ command: probe });
      const value = (name: string) => new RegExp(`^${name}[:=]\\s*(\\S+)$`, 'm').exec(stdout)?.[1];
      claim(
        value('interfaces') === '0',
        'no network',
        'network namespace without an interface but loopback',
        'an interface is visible inside',
      );
      claim(!/-writable$/m.test(stdout), 'system folders read-only', 'read-only bind mounts', 'a write outside the workspace succeeded');
      claim(/^0+$/.test(value('CapEff') ?? 'x'), 'no capabilities', 'dropped before the command', 'the command holds capabilities');
      claim(value('NoNewPrivs') === '1', 'no new privileges', 'no_new_privs', 'set-user-id programs may raise privileges');
      claim(
        value('environment') === '0',
        'no environment of this process',
        'empty environment of the launcher',
        'further variables are visible inside',
      );
      claim(value('Seccomp') === '2', 'system calls filtered', 'seccomp', 'no seccomp filter: the kernel is the boundary');
    } finally {
      await sandbox.dispose();
    }
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
  const groups = host.controlGroups;
  enforced.push(
    { what: 'no process outlives a command', how: 'pid namespace, ended with its first process and verified' },
    { what: 'wall time, output', how: 'this process kills and counts' },
    { what: 'CPU time, file size, open files, core dumps', how: 'resource limits of each process' },
    {
      what: 'processes',
      how: groups === null ? 'resource limit within the user namespace' : `control group v${groups.version} and resource limit`,
    },
    { what: 'base untouched', how: host.layering === 'overlay' ? 'overlay file system' : 'a copy of the workspace' },
  );
  claim(
    groups !== null,
    'memory of all processes together',
    `control group v${groups?.version}`,
    'no control group can be made here: only each process is bounded (RLIMIT_DATA)',
  );
  claim(
    host.owner !== undefined,
    'another user than the caller',
    'an unprivileged user id',
    'this process is not root: commands run as its own user',
  );
  claim(
    host.hasLoopback,
    'loopback for servers in tests',
    'the interface is up inside',
    'the interface is down: the program ip is missing',
  );
  notEnforced.push(
    { what: 'size and file count of the workspace as a whole', why: 'no quota on the scratch folder; only single files are bounded' },
    { what: 'disk and memory bandwidth', why: 'no such controller is used' },
    { what: 'further user namespaces', why: host.launcher.name === 'bubblewrap' ? 'forbidden' : 'unshare has no switch for it' },
  );
  if (host.launcher.name === 'bubblewrap') {
    notEnforced.pop();
    enforced.push({ what: 'no further user namespaces', how: 'bubblewrap --disable-userns' });
  }
  return { provider: `namespaces (${host.launcher.name})`, enforced, notEnforced };
}
