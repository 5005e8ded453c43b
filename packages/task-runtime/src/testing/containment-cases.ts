import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxProvider } from '@tadpole/contracts';
import { type ConformanceCase, caseLimits, withSandbox } from './conformance-case.js';

/** Cases about what code inside must not reach or exhaust. */
export function containmentCases(open: SandboxProvider['open']): readonly ConformanceCase[] {
  return [
    {
      name: 'closes the network, this machine included',
      async run() {
        const server = createServer((_, response) => response.end('reached'));
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        const { port } = server.address() as AddressInfo;
        try {
          await withSandbox(open, async (sandbox) => {
            const own = await sandbox.run({ command: `exec 3<>/dev/tcp/127.0.0.1/${port} && echo reached` });
            assert.equal(own.stdout, '');
            assert.notEqual(own.exitCode, 0);
          });
        } finally {
          await new Promise((resolve) => server.close(resolve));
        }
      },
    },
    {
      name: 'shows no file of this machine that was not mounted',
      async run() {
        const folder = mkdtempSync(join(tmpdir(), 'tadpole-canary-'));
        writeFileSync(join(folder, 'canary'), 'canary of the host');
        try {
          await withSandbox(open, async (sandbox) => {
            const seen = await sandbox.run({
              command: `cat ${join(folder, 'canary')}; ln -s ${folder} link; cat link/canary; cat /proc/1/root${folder}/canary`,
            });
            assert.ok(!seen.stdout.includes('canary of the host'));
            assert.equal(await sandbox.readFile('link/canary'), null);
            await assert.rejects(sandbox.writeFile('/etc/planted', 'x'));
          });
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      },
    },
    {
      name: 'writes through a symbolic link stay inside',
      async run() {
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
      name: 'carries no variable of this process in any process inside',
      async run() {
        process.env.TADPOLE_CANARY = 'secret-of-the-harness';
        try {
          await withSandbox(open, async (sandbox) => {
            const seen = await sandbox.run({ command: 'env; cat /proc/[0-9]*/environ' });
            assert.ok(seen.stdout.includes('PATH='));
            assert.ok(!seen.stdout.includes('secret-of-the-harness'));
          });
        } finally {
          delete process.env.TADPOLE_CANARY;
        }
      },
    },
    {
      name: 'lets no command write outside the workspace and the temporary folder',
      run: () =>
        withSandbox(open, async (sandbox) => {
          const command =
            'for folder in / /usr /usr/bin /etc /opt /proc/sys/kernel; do touch $folder/planted 2>/dev/null && echo $folder; done; touch /tmp/fine fine && echo done';
          assert.equal((await sandbox.run({ command })).stdout, 'done\n');
        }),
    },
    {
      name: 'holds no capability and gains none',
      run: () =>
        withSandbox(open, async (sandbox) => {
          const { stdout } = await sandbox.run({
            command:
              "sed -n 's/^CapEff:\\s*//p; s/^NoNewPrivs:\\s*//p' /proc/self/status; mount -t tmpfs none /tmp 2>/dev/null && echo mounted",
          });
          assert.deepEqual(stdout.split('\n'), ['0000000000000000', '1', '']);
        }),
    },
    {
      name: 'survives a fork bomb and leaves none of it behind',
      run: () =>
        withSandbox(open, async (sandbox) => {
          const bomb = await sandbox.run({ command: 'bomb() { sleep 4711.25 & bomb | bomb & }; bomb; sleep 3', timeoutMs: 1500 });
          assert.ok(bomb.timedOut || bomb.exitCode !== null);
          assert.deepEqual(hostProcesses('4711.25'), []);
          assert.equal((await sandbox.run({ command: 'echo alive' })).stdout, 'alive\n');
        }),
    },
    {
      name: 'bounds the number of processes',
      run: () =>
        withSandbox(open, async (sandbox) => {
          const script = 'number=0; while [ $number -lt 100 ]; do sleep 30 & number=$((number + 1)); echo $number; done';
          const { stdout, exitCode } = await sandbox.run({ command: `exec sh -c '${script}'` });
          assert.notEqual(exitCode, 0);
          assert.ok(stdout.trim().split('\n').length <= caseLimits.processes, stdout);
        }),
    },
    {
      name: 'bounds memory',
      run: () =>
        withSandbox(open, async (sandbox) => {
          const greedy = await sandbox.run({
            command: `node -e "const all = []; for (;;) all.push(Buffer.alloc(16777216, 1))" 2>/dev/null; echo ended $?`,
          });
          assert.match(greedy.stdout, /^(ended [1-9]\d*\n)?$/);
          assert.ok(!greedy.timedOut);
          assert.equal((await sandbox.run({ command: 'echo alive' })).stdout, 'alive\n');
        }),
    },
    {
      name: 'bounds the size of a written file',
      run: () =>
        withSandbox(open, async (sandbox) => {
          await sandbox.run({ command: 'head -c 20000000 /dev/zero > large' });
          const { stdout } = await sandbox.run({ command: 'stat -c %s large' });
          assert.equal(Number(stdout), caseLimits.fileBytes);
        }),
    },
    {
      name: 'keeps head and tail of large output and counts the rest',
      run: () =>
        withSandbox(open, async (sandbox) => {
          const bytes = 200_000_000;
          const result = await sandbox.run({ command: `echo first; yes | head -c ${bytes}; echo; echo last` });
          assert.equal(result.exitCode, 0);
          assert.ok(result.stdout.startsWith('first\n') && result.stdout.endsWith('\nlast\n'));
          assert.ok(result.stdout.length < caseLimits.outputBytes + 200);
          assert.equal(result.droppedBytes, bytes + 'first\n\nlast\n'.length - caseLimits.outputBytes);
        }),
    },
    {
      name: 'ends a command at its time with everything that it started',
      run: () =>
        withSandbox(open, async (sandbox) => {
          const result = await sandbox.run({
            command: 'setsid sleep 4712.25 & (sleep 4712.25 &); echo begun; exec sleep 4712.25',
            timeoutMs: 2500,
          });
          assert.deepEqual([result.timedOut, result.exitCode, result.stdout], [true, null, 'begun\n']);
          assert.deepEqual(hostProcesses('4712.25'), []);
        }),
    },
    {
      name: 'does not wait for a background process that holds the output open, and ends it',
      run: () =>
        withSandbox(open, async (sandbox) => {
          const result = await sandbox.run({ command: 'sleep 4713.25 & echo hi' });
          assert.deepEqual([result.timedOut, result.exitCode, result.stdout], [false, 0, 'hi\n']);
          assert.deepEqual(hostProcesses('4713.25'), []);
        }),
    },
    {
      name: 'ends a command when the signal aborts',
      run: () =>
        withSandbox(open, async (sandbox) => {
          const controller = new AbortController();
          const run = sandbox.run({ command: 'sleep 4714.25', signal: controller.signal });
          setTimeout(() => controller.abort(), 200);
          await assert.rejects(run, (error: { code?: string }) => error.code === 'aborted');
          assert.deepEqual(hostProcesses('4714.25'), []);
        }),
    },
  ];
}

/** Processes of this machine with a word in their command line. */
function hostProcesses(word: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(word);
      } catch {
        return false;
      }
    });
}
