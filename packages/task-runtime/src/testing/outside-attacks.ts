import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withSandbox } from './conformance-case.js';
import type { Attack } from './containment-case.js';

/** Attacks on what lies outside a sandbox: the network, files, variables, processes and the kernel's settings. */
export const outsideAttacks: readonly Attack[] = [
  {
    contains: 'network',
    name: 'closes the network, this machine included',
    async run(open) {
      const server = createServer((_, response) => response.end('reached'));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      try {
        await withSandbox(open, async (sandbox) => {
          const own = await sandbox.run({ command: `exec 3<>/dev/tcp/127.0.0.1/${port} && echo reached` });
          assert.equal(own.stdout, '');
          assert.notEqual(own.exitCode, 0);
          // No route: an address of the documentation range fails at once, also as a datagram.
          const far = await sandbox.run({
            command: '(exec 3<>/dev/tcp/192.0.2.1/80) && echo tcp; (echo x >/dev/udp/192.0.2.1/53) && echo udp',
          });
          assert.equal(far.stdout, '');
        });
      } finally {
        await new Promise((resolve) => server.close(resolve));
      }
    },
  },
  {
    contains: 'network',
    name: 'reaches no socket of this machine by its path or its abstract name',
    async run(open) {
      const folder = mkdtempSync(join(tmpdir(), 'tadpole-socket-'));
      const path = join(folder, 'engine.sock');
      const servers = [path, `\0${path}`].map((address) => ({ address, server: createServer((_, response) => response.end('reached')) }));
      try {
        for (const { address, server } of servers) await new Promise<void>((resolve) => server.listen(address, resolve));
        await withSandbox(open, async (sandbox) => {
          const connect = `for (const path of [${JSON.stringify(path)}, '\\0' + ${JSON.stringify(path)}]) require('node:net').connect(path).on('connect', () => console.log('reached')).on('error', () => {})`;
          await sandbox.writeFile('connect.cjs', connect);
          const { stdout, exitCode } = await sandbox.run({ command: 'node connect.cjs' });
          assert.deepEqual([stdout, exitCode], ['', 0]);
        });
      } finally {
        for (const { server } of servers) await new Promise((resolve) => server.close(resolve));
        rmSync(folder, { recursive: true, force: true });
      }
    },
  },
  {
    contains: 'host-files',
    name: 'shows no file of this machine that was not mounted',
    async run(open) {
      const folder = mkdtempSync(join(tmpdir(), 'tadpole-canary-'));
      writeFileSync(join(folder, 'canary'), 'canary of the host');
      try {
        await withSandbox(open, async (sandbox) => {
          const seen = await sandbox.run({
            command: `cat ${join(folder, 'canary')}; ln -s ${folder} link; cat link/canary; cat /proc/[0-9]*/root${folder}/canary /proc/[0-9]*/cwd/../${folder}/canary`,
          });
          assert.ok(!seen.stdout.includes('canary of the host'));
          assert.equal(await sandbox.readFile('link/canary'), null);
          const found = await sandbox.run({ command: `find / -xdev -name canary 2>/dev/null; find /tmp /opt -name canary 2>/dev/null` });
          assert.equal(found.stdout, '');
        });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  },
  {
    contains: 'host-files',
    name: 'writes through a symbolic link stay inside',
    async run(open) {
      const folder = mkdtempSync(join(tmpdir(), 'tadpole-canary-'));
      try {
        await withSandbox(open, async (sandbox) => {
          await sandbox.run({ command: `ln -s ${folder}/escaped out; ln -s ${folder} folder` });
          await sandbox.writeFile('out', 'x').catch(() => {});
          await sandbox.writeFile('folder/escaped', 'x').catch(() => {});
          await sandbox.run({ command: `mkdir -p ${folder}; echo x > out; echo x > folder/escaped` });
          assert.deepEqual(readdirSync(folder), []);
        });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  },
  {
    contains: 'environment',
    name: 'carries no variable of this process in any process inside',
    async run(open) {
      process.env.TADPOLE_CANARY = 'secret-of-the-harness';
      try {
        await withSandbox(open, async (sandbox) => {
          await sandbox.readFile('a.txt');
          const seen = await sandbox.run({ command: 'env; cat /proc/[0-9]*/environ; tr "\\0" " " </proc/1/environ' });
          assert.ok(seen.stdout.includes('PATH='));
          assert.ok(!seen.stdout.includes('secret-of-the-harness'));
        });
      } finally {
        delete process.env.TADPOLE_CANARY;
      }
    },
  },
  {
    contains: 'system-files',
    name: 'lets no command and no tool write outside the workspace and the temporary folders',
    run: (open) =>
      withSandbox(open, async (sandbox) => {
        const command =
          'for folder in / /usr /usr/bin /etc /opt /opt/tadpole /root /home /var /proc/sys/kernel; do touch $folder/planted 2>/dev/null && echo $folder; done; touch /tmp/fine /dev/shm/fine fine && echo done';
        assert.equal((await sandbox.run({ command })).stdout, 'done\n');
        await assert.rejects(sandbox.writeFile('/etc/planted', 'x'));
      }),
  },
  {
    contains: 'privileges',
    name: 'holds no capability and gains none',
    run: (open) =>
      withSandbox(open, async (sandbox) => {
        const { stdout } = await sandbox.run({
          command:
            "sed -n 's/^CapEff:\\s*//p; s/^NoNewPrivs:\\s*//p' /proc/self/status; mount -t tmpfs none /tmp 2>/dev/null && echo mounted; nsenter -t 1 -m true 2>/dev/null && echo entered; su -c true 2>/dev/null && echo raised",
        });
        assert.deepEqual(stdout.split('\n'), ['0000000000000000', '1', '']);
      }),
  },
  {
    contains: 'namespaces',
    name: 'makes no further user namespace, in which it would be root',
    run: (open) =>
      withSandbox(open, async (sandbox) => {
        const { stdout } = await sandbox.run({ command: 'unshare --user --map-root-user id -u 2>/dev/null; echo tried' });
        assert.equal(stdout, 'tried\n');
      }),
  },
  {
    contains: 'system-calls',
    name: 'filters system calls: no kernel log, no further namespace',
    run: (open) =>
      withSandbox(open, async (sandbox) => {
        const { stdout } = await sandbox.run({
          command:
            "sed -n 's/^Seccomp:\\s*//p' /proc/self/status; dmesg 2>/dev/null; unshare --mount true 2>/dev/null && echo unshared; true",
        });
        assert.equal(stdout, '2\n');
      }),
  },
  {
    contains: 'devices',
    name: 'changes neither clock nor device nor kernel setting nor control group',
    run: (open) =>
      withSandbox(open, async (sandbox) => {
        const attempts = [
          'date -s 2001-01-01',
          'mknod /tmp/disk b 8 0',
          'mknod /tmp/memory c 1 1',
          'echo x >/proc/sys/kernel/core_pattern',
          'echo h >/proc/sysrq-trigger',
          'echo 1 >/proc/sys/vm/drop_caches',
          'head -c 1 /dev/mem',
          'head -c 1 /dev/kmsg',
          'ls /dev/[svhn]d? /dev/nvme* /dev/loop*',
          'mkdir /sys/fs/cgroup/*/planted',
          'for file in /sys/fs/cgroup/*/cgroup.procs /sys/fs/cgroup/cgroup.procs; do echo $$ >$file && exit 0; done; false',
          'modprobe dummy',
          'chroot / true',
        ];
        const command = attempts.map((attempt, index) => `(${attempt}) >/dev/null 2>&1 && echo ${index}`).join('; ');
        assert.equal((await sandbox.run({ command: `${command}; true` })).stdout, '', 'an attempt succeeded');
      }),
  },
  {
    contains: 'signals',
    name: 'signals and traces no process outside',
    async run(open) {
      const victim = spawn('sleep', ['60'], { stdio: 'ignore' });
      try {
        await withSandbox(open, async (sandbox) => {
          const command = `kill -9 ${victim.pid} 2>/dev/null; cat /proc/${victim.pid}/mem /proc/${victim.pid}/maps 2>/dev/null | head -c 1; kill -9 -1; true`;
          const { stdout } = await sandbox.run({ command });
          assert.equal(stdout, '');
          assert.equal(victim.exitCode ?? victim.signalCode, null);
          assert.equal((await sandbox.run({ command: 'echo alive' })).stdout, 'alive\n');
        });
      } finally {
        victim.kill('SIGKILL');
      }
    },
  },
  {
    contains: 'runner',
    name: 'keeps the process that serves files out of reach of commands',
    run: (open) =>
      withSandbox(open, async (sandbox) => {
        await sandbox.readFile('a.txt');
        const command = `for folder in /proc/[0-9]*; do
  pid=\${folder#/proc/}
  [ "$pid" = $$ ] && continue
  [ "$(cat $folder/comm 2>/dev/null)" = node ] || continue
  kill -9 $pid 2>/dev/null && echo killed
  head -c 1 $folder/environ 2>/dev/null | grep -q . && echo environment
  head -c 1 $folder/maps 2>/dev/null | grep -q . && echo maps
  ls $folder/fd/ >/dev/null 2>&1 && echo descriptors
done
rm -rf /opt/tadpole 2>/dev/null; chmod -R 000 /opt/tadpole 2>/dev/null; kill -9 -1; true`;
        const { stdout } = await sandbox.run({ command });
        assert.equal(stdout, '');
        assert.equal(Buffer.from((await sandbox.readFile('a.txt')) ?? '').toString('utf8'), 'one\ntwo\nthree\n');
        await sandbox.writeFile('b.txt', 'x');
        assert.deepEqual(await sandbox.glob('*.txt'), ['a.txt', 'b.txt']);
      }),
  },
];
