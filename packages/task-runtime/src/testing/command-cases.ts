import assert from 'node:assert/strict';
import type { SandboxProvider } from '@tadpole/contracts';
import { type ConformanceCase, caseLimits, withSandbox } from './conformance-case.js';

const refused = (error: { code?: string }) => error.code === 'invalid-input';

/** Cases about commands and files of the workspace. */
export function commandCases(open: SandboxProvider['open']): readonly ConformanceCase[] {
  return [
    {
      name: 'runs a command by bash in the workspace and tells exit code and both streams',
      run: () =>
        withSandbox(open, async (sandbox) => {
          const result = await sandbox.run({ command: '[[ -f a.txt ]] && pwd && echo problem >&2; exit 7' });
          assert.deepEqual([result.exitCode, result.stdout, result.stderr, result.droppedBytes], [7, '/workspace\n', 'problem\n', 0]);
        }),
    },
    {
      name: 'lets a command open its streams again by their names',
      run: () =>
        withSandbox(open, async (sandbox) => {
          const result = await sandbox.run({ command: 'echo out >/dev/stdout; echo problem >/dev/stderr; echo both | tee /dev/stderr' });
          assert.deepEqual([result.exitCode, result.stdout, result.stderr], [0, 'out\nboth\n', 'problem\nboth\n']);
        }),
    },
    {
      name: 'tells a signal as 128 plus its number',
      run: () =>
        withSandbox(open, async (sandbox) => {
          assert.equal((await sandbox.run({ command: 'kill -TERM $$' })).exitCode, 143);
        }),
    },
    {
      name: 'gives standard input, folder and variables, and none of them to the next command',
      run: () =>
        withSandbox(open, async (sandbox) => {
          const result = await sandbox.run({ command: 'pwd; echo $WORD; cat; cd /', stdin: 'input', cwd: 'lib', env: { WORD: 'a b' } });
          assert.equal(result.stdout, '/workspace/lib\na b\ninput');
          assert.equal((await sandbox.run({ command: 'pwd; echo $WORD; cat' })).stdout, '/workspace\n\n');
        }),
    },
    {
      name: 'answers an impossible command with an exit code, not with a throw',
      run: () =>
        withSandbox(open, async (sandbox) => {
          assert.equal((await sandbox.run({ command: 'true', cwd: 'absent' })).exitCode, 126);
          assert.equal((await sandbox.run({ command: `: ${'x'.repeat(200_000)}` })).exitCode, 126);
          assert.equal((await sandbox.run({ command: 'echo \0' })).exitCode, 126);
          assert.equal((await sandbox.run({ command: 'no-such-program' })).exitCode, 127);
        }),
    },
    {
      name: 'keeps files between commands and nothing of the temporary folder of another sandbox',
      run: () =>
        withSandbox(open, async (sandbox) => {
          await sandbox.run({ command: 'echo kept > new.txt' });
          assert.equal((await sandbox.run({ command: 'cat new.txt' })).stdout, 'kept\n');
          await withSandbox(open, async (other) => {
            assert.equal(await other.readFile('new.txt'), null);
          });
        }),
    },
    {
      name: 'runs Node.js and git inside, over exactly one commit',
      run: () =>
        withSandbox(open, async (sandbox) => {
          const { stdout } = await sandbox.run({
            command: 'node -p 1+1; git rev-list --all | wc -l; git status --short | wc -l; git stash list; git reflog | wc -l',
          });
          assert.equal(stdout, '2\n1\n0\n0\n');
        }),
    },
    {
      name: 'reads and writes bytes and keeps the mode of a file',
      run: () =>
        withSandbox(open, async (sandbox) => {
          const bytes = new Uint8Array([0, 255, 10, 13, 128]);
          await sandbox.writeFile('new/folder/-name with "quotes" $x', bytes);
          assert.deepEqual(await sandbox.readFile('new/folder/-name with "quotes" $x'), bytes);
          await sandbox.run({ command: 'chmod 755 a.txt' });
          await sandbox.writeFile('a.txt', '');
          assert.equal((await sandbox.run({ command: 'stat -c "%a %s" a.txt' })).stdout, '755 0\n');
          assert.deepEqual(await sandbox.readFile('/workspace/a.txt'), new Uint8Array());
        }),
    },
    {
      name: 'answers null for an absent file and refuses what is no regular file of bearable size',
      run: () =>
        withSandbox(open, async (sandbox) => {
          assert.equal(await sandbox.readFile('absent/file'), null);
          await sandbox.run({
            command: `mkfifo fifo; ln -s /dev/zero zero; truncate -s ${caseLimits.fileBytes} limit; for i in 1 2; do cat limit; done | split -b 8000000 - /tmp/x; ln -s fifo link`,
          });
          for (const path of ['lib', 'fifo', 'link', 'zero', '/proc/self', '']) await assert.rejects(sandbox.readFile(path), refused, path);
          for (const path of ['lib', 'fifo', 'zero']) await assert.rejects(sandbox.writeFile(path, 'x'), refused, path);
          await assert.rejects(sandbox.writeFile('large', new Uint8Array(caseLimits.fileBytes + 1)), refused);
          assert.equal((await sandbox.readFile('limit'))?.length, caseLimits.fileBytes);
        }),
    },
    {
      name: 'matches glob patterns against files, sorted, relative to the workspace',
      run: () =>
        withSandbox(open, async (sandbox) => {
          await sandbox.writeFile('lib/[x].js', '');
          assert.deepEqual(await sandbox.glob('**/*.js'), ['lib/[x].js', 'lib/b.js', 'lib/deep/c.js']);
          assert.deepEqual(await sandbox.glob('*.{txt,md}'), ['a.txt']);
          assert.deepEqual(await sandbox.glob('deep/?.js', { path: 'lib' }), ['lib/deep/c.js']);
          assert.deepEqual(await sandbox.glob('lib/[x].js'), ['lib/[x].js']);
          assert.deepEqual(await sandbox.glob('$(touch planted)*'), []);
          assert.deepEqual(await sandbox.glob('**/config'), []);
          assert.deepEqual(await sandbox.glob('*', { path: 'absent' }), []);
          await assert.rejects(sandbox.glob('/etc/*'), refused);
        }),
    },
  ];
}
