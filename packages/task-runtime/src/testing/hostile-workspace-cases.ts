import assert from 'node:assert/strict';
import type { SandboxProvider } from '@tadpole/contracts';
import { type ConformanceCase, withSandbox } from './conformance-case.js';

const isInputError = (error: unknown) => (error as { code?: string }).code === 'invalid-input';

/** Cases about what commands can leave in a workspace to trip up what comes after them. */
export function hostileWorkspaceCases(open: SandboxProvider['open']): readonly ConformanceCase[] {
  return [
    {
      name: 'goes on after folders 3,000 deep: files, patterns, the change and the end',
      run: () =>
        withSandbox(open, async (sandbox) => {
          const dig =
            "for (let depth = 0; depth < 3000; depth += 1) { fs.mkdirSync('d'); process.chdir('d'); } fs.writeFileSync('leaf', 'x')";
          assert.equal((await sandbox.run({ command: `node -e "${dig}"` })).exitCode, 0);
          assert.notEqual(await sandbox.readFile('a.txt'), null);
          await sandbox.glob('**/*.txt').then(
            (found) => assert.ok(found.includes('a.txt')),
            (error) => assert.ok(isInputError(error), String(error)),
          );
          await sandbox.diff().catch((error) => assert.ok(isInputError(error), String(error)));
          assert.equal((await sandbox.run({ command: 'echo alive' })).stdout, 'alive\n');
        }),
    },
    {
      name: 'goes on when the workspace itself was removed',
      run: () =>
        withSandbox(open, async (sandbox) => {
          await sandbox.run({
            command: 'rm -rf /workspace 2>/dev/null; rm -rf ./* ./.??*; mkdir -p gone && cd gone && rm -rf ../gone; pwd',
          });
          assert.equal(await sandbox.readFile('a.txt'), null);
          assert.equal((await sandbox.run({ command: 'echo alive' })).stdout, 'alive\n');
          await sandbox.writeFile('new/file.txt', 'x\n');
          const patch = await sandbox.diff();
          assert.ok(patch.includes('b/new/file.txt') && patch.includes('a/lib/b.js'));
        }),
    },
    {
      name: 'shows binary and invalid UTF-8 output as text and returns file bytes as they are',
      run: () =>
        withSandbox(open, async (sandbox) => {
          const shown = await sandbox.run({ command: "printf 'a\\377\\0b\\303\\050' | tee bytes" });
          assert.equal(shown.stdout, 'a\uFFFD\0b\uFFFD(');
          assert.deepEqual([...((await sandbox.readFile('bytes')) ?? [])], [97, 255, 0, 98, 195, 40]);
        }),
    },
    {
      name: 'ends commands that read standard input at its end',
      run: () =>
        withSandbox(open, async (sandbox) => {
          const result = await sandbox.run({ command: 'cat; read line; grep x; echo done' });
          assert.deepEqual([result.stdout, result.timedOut], ['done\n', false]);
        }),
    },
    {
      name: 'serves files beside FIFOs, sockets, link loops and names that are not UTF-8',
      run: () =>
        withSandbox(open, async (sandbox) => {
          await sandbox.run({
            command: "mkfifo fifo; ln -s loop loop; ln -s . here; mkdir $'bad\\xff'; echo x >$'bad\\xff/n\\xfe.txt'; chmod 000 lib",
          });
          assert.ok((await sandbox.glob('*.txt')).includes('a.txt'));
          assert.ok((await sandbox.glob('**/a.txt')).includes('a.txt'));
          await assert.rejects(sandbox.readFile('fifo'), isInputError);
          await sandbox.readFile('loop').then(
            (bytes) => assert.equal(bytes, null),
            (error) => assert.ok(isInputError(error), String(error)),
          );
        }),
    },
    {
      name: 'gives the next command pipes of its own whatever the last one did to its own',
      run: () =>
        withSandbox(open, async (sandbox) => {
          for (let call = 0; call < 3; call += 1) await sandbox.run({ command: 'chmod 000 /proc/self/fd/1 /proc/self/fd/2; true' });
          const { stdout, stderr } = await sandbox.run({ command: 'echo out; echo problem >/dev/stderr' });
          assert.deepEqual([stdout, stderr], ['out\n', 'problem\n']);
          assert.equal(await sandbox.diff(), '');
        }),
    },
    {
      name: 'captures a change in which folders became links and files became FIFOs, without waiting for one',
      run: () =>
        withSandbox(open, async (sandbox) => {
          await sandbox.run({
            command: 'mv lib src; ln -s src lib; rm a.txt .gitignore .gitattributes; mkfifo a.txt .gitignore .gitattributes src/.gitignore',
          });
          const patch = await sandbox.diff();
          for (const part of ['b/src/b.js', 'b/src/deep/c.js', '+src', 'a/a.txt', 'a/.gitignore']) assert.ok(patch.includes(part), part);
        }),
    },
    {
      name: 'refuses what no process can be given, and goes on',
      run: () =>
        withSandbox(open, async (sandbox) => {
          await assert.rejects(sandbox.run({ command: 'true', cwd: 'a\0b' }), isInputError);
          await assert.rejects(sandbox.run({ command: 'true', cwd: 'x'.repeat(200_000) }), isInputError);
          await assert.rejects(sandbox.run({ command: 'true', env: { LONG: 'x'.repeat(200_000) } }), isInputError);
          assert.equal((await sandbox.run({ command: 'echo alive' })).stdout, 'alive\n');
        }),
    },
    {
      name: 'serves fifty reads at once',
      run: () =>
        withSandbox(open, async (sandbox) => {
          const reads = await Promise.all(Array.from({ length: 50 }, () => sandbox.readFile('a.txt')));
          assert.ok(reads.every((bytes) => bytes?.length === 14));
        }),
    },
  ];
}
