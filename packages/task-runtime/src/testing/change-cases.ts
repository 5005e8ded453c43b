import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OwnedSandbox, SandboxProvider } from '@tadpole/contracts';
import { type ConformanceCase, caseFiles, caseLimits, withSandbox } from './conformance-case.js';
import { markedSeconds } from './containment-case.js';

const listing = 'find . -name .git -prune -o -type f -printf "%P %m " -exec sha256sum {} ";" -o -type l -printf "%P -> %l\\n" | sort';

/** Applies a sandbox's patch in a fresh one and compares the trees. */
async function assertRoundTrip(open: SandboxProvider['open'], sandbox: OwnedSandbox): Promise<string> {
  const patch = await sandbox.diff();
  const expected = (await sandbox.run({ command: listing })).stdout;
  await withSandbox(open, async (other) => {
    const applied = await other.run({ command: 'git apply --whitespace=nowarn -', stdin: patch });
    assert.equal(applied.exitCode, 0, applied.stderr);
    assert.equal((await other.run({ command: listing })).stdout, expected);
  });
  return patch;
}

/** Cases about the captured change, the base, and the end of a sandbox. */
export function changeCases(open: SandboxProvider['open']): readonly ConformanceCase[] {
  return [
    {
      name: 'has an empty diff before any change, also after files were touched',
      run: () =>
        withSandbox(open, async (sandbox) => {
          assert.equal(await sandbox.diff(), '');
          await sandbox.run({ command: 'touch a.txt lib/b.js; mkdir empty' });
          assert.equal(await sandbox.diff(), '');
        }),
    },
    {
      name: 'captures an edit as a readable text patch',
      run: () =>
        withSandbox(open, async (sandbox) => {
          await sandbox.writeFile('a.txt', 'one\n2\nthree\n');
          const patch = await sandbox.diff();
          assert.ok(patch.startsWith('diff --git a/a.txt b/a.txt\nindex '));
          assert.ok(patch.endsWith('--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n'));
        }),
    },
    {
      name: 'captures new, deleted, renamed, executable, linked, binary and non-UTF-8 files so that they apply cleanly',
      run: () =>
        withSandbox(open, async (sandbox) => {
          const commands = [
            'echo new > "new file.txt"; rm lib/b.js; mv lib/deep/c.js moved.js; chmod +x a.txt; ln -s a.txt link',
            'printf "\\0\\1\\2" > binary; printf "crlf\\r\\n" > windows.txt; printf "no newline" > open.txt',
            'rm .gitignore; mkdir .gitignore; echo x > .gitignore/now-a-folder; printf "" > empty.txt; echo x > "tab\tname"; echo ü > ü.txt',
          ];
          for (const command of commands) assert.equal((await sandbox.run({ command })).exitCode, 0);
          const patch = await assertRoundTrip(open, sandbox);
          assert.ok(patch.includes('+new\n'));
          await sandbox.run({ command: 'printf "\\xe9t\\xe9\\n" > latin1.txt' });
          await assertRoundTrip(open, sandbox);
        }),
    },
    {
      name: 'honours ignore rules for new files alone, and leaves the index of the workspace as it was',
      run: () =>
        withSandbox(open, async (sandbox) => {
          const commands = [
            'mkdir ignored build; echo x > ignored/x; echo build/ > lib/.gitignore; mkdir lib/build; echo x > lib/build/x; echo x > build/x',
            'echo "*.txt" >> .gitignore; echo changed > a.txt; echo new > new.txt; echo secret > .git/info/exclude; echo x > secret',
            'echo staged > staged.js; git add staged.js; rm staged.js; git update-index --assume-unchanged lib/b.js; echo changed > lib/b.js',
          ];
          for (const command of commands) assert.equal((await sandbox.run({ command })).exitCode, 0);
          const status = 'git status --short; git ls-files -v; sha256sum .git/index';
          const before = (await sandbox.run({ command: status })).stdout;
          const patch = await sandbox.diff();
          const files = [...patch.matchAll(/^diff --git a\/(\S+) /gm)].map((match) => match[1]);
          assert.deepEqual(files.sort(), ['.gitignore', 'a.txt', 'build/x', 'lib/.gitignore', 'lib/b.js', 'secret']);
          assert.equal((await sandbox.run({ command: status })).stdout, before);
        }),
    },
    {
      name: 'leaves binary files out of a patch when it is asked to, and nothing else',
      run: () =>
        withSandbox(open, async (sandbox) => {
          await sandbox.run({
            command:
              'printf "\\0\\1" > binary; printf "\\351" > a.txt; echo text > text.js; printf "diff --git a/x b/x\nGIT binary patch\n" > like.js',
          });
          const files = async (binaries: 'keep' | 'leave-out') =>
            [...(await sandbox.diff({ binaries })).matchAll(/^diff --git a\/(\S+) /gm)].map((match) => match[1]).sort();
          assert.deepEqual(await files('keep'), ['a.txt', 'binary', 'like.js', 'text.js']);
          await sandbox.run({ command: 'git checkout -q a.txt' });
          assert.deepEqual(await files('leave-out'), ['like.js', 'text.js']);
        }),
    },
    {
      name: 'captures an edit of the same size in the second in which the base was made',
      run: async () => {
        for (let round = 0; round < 3; round += 1)
          await withSandbox(open, async (sandbox) => {
            await sandbox.writeFile('a.txt', 'ONE\ntwo\nthree\n');
            assert.ok((await sandbox.diff()).includes('+ONE'));
          });
      },
    },
    {
      name: 'captures the change whatever was done to the repository inside',
      run: () =>
        withSandbox(open, async (sandbox) => {
          await sandbox.writeFile('a.txt', 'changed\n');
          const expected = await sandbox.diff();
          const commands = [
            'git -c user.name=x -c user.email=x commit -qam done; printf "#!/bin/sh\\ntouch planted\\n" > .git/hooks/post-index-change',
            'git config core.fsmonitor "touch /workspace/planted"; git config filter.x.clean "echo forged"; echo "*.txt filter=x" > .git/info/attributes',
            'rm -rf .git; echo "gitdir: /nonexistent" > .git',
          ];
          for (const command of commands) {
            await sandbox.run({ command });
            assert.equal(await sandbox.diff(), expected, command);
          }
        }),
    },
    {
      name: 'captures files of a nested repository and of unreadable folders',
      run: () =>
        withSandbox(open, async (sandbox) => {
          await sandbox.run({
            command: 'mkdir nested secret; git -C nested init -q; echo x > nested/file; echo y > secret/file; chmod 000 secret a.txt lib',
          });
          const patch = await sandbox.diff();
          assert.ok(patch.includes('b/nested/file') && patch.includes('b/secret/file'));
          assert.ok(!patch.includes('a/lib/b.js') && !patch.includes('a/a.txt'), patch);
        }),
    },
    {
      name: 'leaves the base untouched',
      run: () =>
        withSandbox(open, async (sandbox, workspace) => {
          await sandbox.run({ command: 'rm -rf lib; echo x > a.txt; echo x >> .gitattributes' });
          for (const [path, content] of Object.entries(caseFiles)) assert.equal(readFileSync(join(workspace, path), 'utf8'), content);
          await withSandbox(open, async (other) => {
            assert.equal(await other.diff(), '');
          });
        }),
    },
    {
      name: 'shows read-only mounts that cannot be written, and writable ones that can',
      run: () =>
        withSandbox(open, async (_, workspace) => {
          const environment = {
            workspace,
            readOnlyMounts: [
              { source: join(workspace, 'lib'), target: '/opt/library' },
              { source: join(workspace, 'a.txt'), target: '/workspace/lib/b.js' },
            ],
          };
          await withSandbox(
            open,
            async (sandbox) => {
              assert.equal(await sandbox.diff(), '', 'a mount is no change');
              assert.equal(
                (await sandbox.run({ command: 'cat /opt/library/b.js lib/b.js' })).stdout,
                `${caseFiles['lib/b.js']}${caseFiles['a.txt']}`,
              );
              assert.notEqual((await sandbox.run({ command: 'echo x > /opt/library/b.js' })).exitCode, 0);
              assert.notEqual((await sandbox.run({ command: 'echo x > lib/b.js' })).exitCode, 0);
            },
            { environment },
          );
        }),
    },
    {
      name: 'disposes once, more than once and with a command under way, and is closed afterwards',
      run: () =>
        withSandbox(open, async (sandbox) => {
          const seconds = markedSeconds();
          const running = sandbox
            .run({ command: `mkdir -p deep/er; chmod 000 deep; sleep ${seconds}` })
            .catch((error: { code?: string }) => error.code);
          await new Promise((resolve) => setTimeout(resolve, 200));
          await Promise.all([sandbox.dispose(), sandbox.dispose()]);
          assert.equal(await running, 'aborted');
          await sandbox.dispose();
          await assert.rejects(sandbox.run({ command: 'true' }), (error: { code?: string }) => error.code === 'sandbox');
          await assert.rejects(sandbox.readFile('a.txt'), (error: { code?: string }) => error.code === 'sandbox');
        }),
    },
    {
      name: 'leaves an opening at its signal, and opens the next one',
      run: () =>
        withSandbox(open, async (_, workspace) => {
          const controller = new AbortController();
          const opening = open({ environment: { workspace }, limits: caseLimits, signal: controller.signal });
          setTimeout(() => controller.abort(), 2);
          await opening.then(
            (sandbox) => sandbox.dispose(),
            (error: { code?: string }) => assert.equal(error.code, 'aborted'),
          );
          await withSandbox(open, async (sandbox) => {
            assert.equal((await sandbox.run({ command: 'cat a.txt' })).exitCode, 0);
          });
        }),
    },
    {
      name: 'opens no sandbox for an aborted signal and none with incomplete limits',
      run: () =>
        withSandbox(open, async (_, workspace) => {
          const limits = {
            processes: 8,
            memoryBytes: 1e8,
            cpuSeconds: 5,
            timeoutMs: 1000,
            fileBytes: 1e6,
            writtenBytes: 1e7,
            writtenFiles: 1000,
            outputBytes: 1000,
          };
          await assert.rejects(
            open({ environment: { workspace }, limits, signal: AbortSignal.abort() }),
            (error: { code?: string }) => error.code === 'aborted',
          );
          const { processes: _dropped, ...incomplete } = limits;
          await assert.rejects(
            open({ environment: { workspace }, limits: incomplete as typeof limits }),
            (error: { code?: string }) => error.code === 'invalid-input',
          );
        }),
    },
  ];
}
