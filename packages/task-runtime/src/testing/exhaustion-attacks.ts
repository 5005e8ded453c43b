import assert from 'node:assert/strict';
import { caseLimits, withSandbox } from './conformance-case.js';
import { type Attack, hostProcesses, markedSeconds } from './containment-case.js';

/** What a file system rounds up to, and what the runtime itself lays down. */
const slack = { bytes: 2_097_152, files: 600 };

/** Attacks that use up what a sandbox has: processes, memory, time, space and output. */
export const exhaustionAttacks: readonly Attack[] = [
  {
    contains: 'processes',
    name: 'survives a fork bomb and leaves none of it behind',
    run: (open) =>
      withSandbox(open, async (sandbox) => {
        const seconds = markedSeconds();
        const bomb = await sandbox.run({ command: `bomb() { sleep ${seconds} & bomb | bomb & }; bomb; sleep 3`, timeoutMs: 1500 });
        assert.ok(bomb.timedOut || bomb.exitCode !== null);
        assert.deepEqual(hostProcesses(seconds), []);
        assert.equal((await sandbox.run({ command: 'echo alive' })).stdout, 'alive\n');
      }),
  },
  {
    contains: 'processes',
    name: 'bounds the number of processes',
    run: (open) =>
      withSandbox(open, async (sandbox) => {
        const script = 'number=0; while [ $number -lt 100 ]; do sleep 30 & number=$((number + 1)); echo $number; done';
        const { stdout, exitCode } = await sandbox.run({ command: `exec sh -c '${script}'` });
        assert.notEqual(exitCode, 0);
        assert.ok(stdout.trim().split('\n').length <= caseLimits.processes, stdout);
      }),
  },
  {
    contains: 'process-memory',
    name: 'bounds the memory of a process',
    run: (open) =>
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
    contains: 'memory',
    name: 'bounds the memory of all processes together',
    run: (open) =>
      withSandbox(open, async (sandbox) => {
        // Each holds a quarter of the limit, eight of them twice the limit.
        const hold = `const held = Buffer.alloc(${Math.floor(caseLimits.memoryBytes / 4)}, 1); console.log('held'); setTimeout(() => held[0], 60000)`;
        const greedy = await sandbox.run({ command: `for i in 1 2 3 4 5 6 7 8; do node -e "${hold}" & done; wait`, timeoutMs: 4000 });
        assert.ok((greedy.stdout.match(/held/g) ?? []).length < 8, 'eight processes held twice the limit');
        assert.equal((await sandbox.run({ command: 'echo alive' })).stdout, 'alive\n');
        assert.notEqual(await sandbox.readFile('a.txt'), null);
      }),
  },
  {
    contains: 'memory',
    name: 'bounds memory that no process has mapped',
    run: (open) =>
      withSandbox(open, async (sandbox) => {
        const script = `use strict; my @held; my $block = 'x' x 1048576;
my $number = { x86_64 => 319, aarch64 => 279 }->{(POSIX::uname())[4]};
for (1 .. 8) { my $fd = syscall($number, 'hidden', 0); exit 7 if $fd < 0; open(my $file, '>&=', $fd) or exit 8; push @held, $file;
  for (1 .. ${Math.floor(caseLimits.memoryBytes / 4 / 1_048_576)}) { syswrite($file, $block) or exit 9 } }
print "held"`;
        await sandbox.writeFile('hidden.pl', script);
        const { stdout } = await sandbox.run({ command: 'perl -MPOSIX hidden.pl', timeoutMs: 15_000 });
        assert.equal(stdout, '', 'twice the limit was held in memory files');
        assert.equal((await sandbox.run({ command: 'echo alive' })).stdout, 'alive\n');
      }),
  },
  {
    contains: 'cpu-time',
    name: 'bounds the CPU time of a process',
    run: (open) =>
      withSandbox(
        open,
        async (sandbox) => {
          const spin = await sandbox.run({ command: 'exec sh -c "while :; do :; done"', timeoutMs: 15_000 });
          assert.equal(spin.timedOut, false);
          assert.notEqual(spin.exitCode, 0);
        },
        { limits: { cpuSeconds: 1 } },
      ),
  },
  {
    contains: 'file-size',
    name: 'bounds the size of a written file, a sparse one included',
    run: (open) =>
      withSandbox(open, async (sandbox) => {
        await sandbox.run({ command: 'head -c 20000000 /dev/zero > large; truncate -s 30G sparse' });
        const { stdout } = await sandbox.run({
          command: 'stat -c %s large; [ "$(stat -c %s sparse 2>/dev/null || echo 0)" -le 4194304 ] && echo small',
        });
        assert.equal(stdout, `${caseLimits.fileBytes}\nsmall\n`);
      }),
  },
  {
    contains: 'written-bytes',
    name: 'bounds the bytes of everything that is written, wherever it is written',
    run: (open) =>
      withSandbox(open, async (sandbox) => {
        const fill =
          'for folder in . /tmp /dev/shm /dev /run /var/tmp; do for i in 1 2 3 4 5 6 7 8 9; do head -c 4000000 /dev/zero >$folder/fill-$i 2>/dev/null; done; done';
        await sandbox.run({ command: `${fill}; true` });
        const { stdout } = await sandbox.run({
          command: 'cat fill-* /tmp/fill-* /dev/shm/fill-* /dev/fill-* /run/fill-* /var/tmp/fill-* 2>/dev/null | wc -c',
        });
        assert.ok(Number(stdout) > 0 && Number(stdout) <= caseLimits.writtenBytes + slack.bytes, `${stdout} bytes were written`);
        const full = await sandbox.run({ command: 'head -c 4000000 /dev/zero >further' });
        assert.match(full.stderr, /No space left|Disk quota/);
        await assert.rejects(
          sandbox.writeFile('more', new Uint8Array(4_000_000)),
          (error: { code?: string }) => error.code === 'invalid-input',
        );
        await sandbox.run({ command: 'rm -f further more fill-* /tmp/fill-* /dev/shm/fill-*' });
        await sandbox.writeFile('room.txt', 'again');
        assert.ok((await sandbox.diff()).includes('+again'));
      }),
  },
  {
    contains: 'written-files',
    name: 'bounds the number of files and folders that are made, wherever they are made',
    run: (open) =>
      withSandbox(open, async (sandbox) => {
        const make =
          'for folder in many /tmp/many; do mkdir -p $folder; for i in {1..4000}; do mkdir $folder/$i 2>/dev/null || break; done; done';
        await sandbox.run({
          command: `enable -f /usr/lib/bash/mkdir mkdir 2>/dev/null; ${make.replaceAll('mkdir $folder/$i', ': >$folder/$i')}; true`,
        });
        const { stdout } = await sandbox.run({ command: 'find many /tmp/many | wc -l' });
        assert.ok(Number(stdout) > 0 && Number(stdout) <= caseLimits.writtenFiles + slack.files, `${stdout} files were made`);
        assert.equal((await sandbox.run({ command: 'rm -rf many /tmp/many; echo alive >new.txt; cat new.txt' })).stdout, 'alive\n');
      }),
  },
  {
    contains: 'output',
    name: 'keeps head and tail of large output and counts the rest',
    run: (open) =>
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
    contains: 'wall-time',
    name: 'ends a command at its time: one that floods, one that closed its output, one that waits for a FIFO',
    run: (open) =>
      withSandbox(open, async (sandbox) => {
        for (const command of [
          'yes',
          'exec >&- 2>&-; sleep 60',
          'mkfifo fifo; cat fifo',
          'cat /dev/zero >/dev/null',
          "trap '' TERM INT HUP; sleep 60",
        ]) {
          const result = await sandbox.run({ command, timeoutMs: 1000 });
          assert.deepEqual([result.timedOut, result.exitCode], [true, null], command);
        }
      }),
  },
  {
    contains: 'wall-time',
    name: 'leaves a command alone that follows one whose time ran out',
    run: (open) =>
      withSandbox(open, async (sandbox) => {
        for (let round = 0; round < 30; round += 1) {
          assert.ok((await sandbox.run({ command: 'for i in {1..20}; do sleep 60 & done; yes >/dev/null', timeoutMs: 50 })).timedOut);
          const { exitCode, stdout } = await sandbox.run({ command: 'sleep 0.02; echo next' });
          assert.deepEqual([exitCode, stdout], [0, 'next\n'], `round ${round}`);
        }
      }),
  },
];
