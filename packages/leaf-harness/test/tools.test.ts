import { readFileSync } from 'node:fs';
import { type AnyTool, type OwnedSandbox, TadpoleError } from '@tadpole/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  createBashTool,
  createEditTool,
  createGlobTool,
  createReadTool,
  createWriteTool,
  defineTool,
  leafTools,
  toolDefinition,
} from '../src/index.js';
import { executeToolCall } from '../src/loop/execute-tool-call.js';
import { toolConformance, type UnsafeDirectorySandbox, unsafeDirectorySandbox } from '../src/testing/index.js';

const bashTool = createBashTool({ outputFolder: 'spill' });
const editTool = createEditTool();
const globTool = createGlobTool();
const readTool = createReadTool();
const writeTool = createWriteTool();

let opened: OwnedSandbox[] = [];
const open = async (files: Record<string, string | Uint8Array> = {}): Promise<UnsafeDirectorySandbox> => {
  const sandbox = await unsafeDirectorySandbox({ files });
  opened.push(sandbox);
  return sandbox;
};
afterEach(async () => {
  await Promise.all(opened.map((sandbox) => sandbox.dispose()));
  opened = [];
});

const call = async (tool: AnyTool, input: unknown, sandbox: OwnedSandbox) =>
  (await executeToolCall({ toolCall: { id: '1', name: tool.name, arguments: JSON.stringify(input) }, tools: [tool], context: { sandbox } }))
    .content;
/** A zombie that nobody has waited for is dead. */
const isAlive = (pid: number) => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] !== 'Z';
  } catch {
    return false;
  }
};
const bytesOf = async (sandbox: OwnedSandbox, path: string) => Buffer.from((await sandbox.readFile(path))!);

describe.each([
  { tool: readTool as AnyTool, validInput: { path: 'a.txt' }, invalidInput: { file_path: 'a.txt', offset: 0 } },
  { tool: writeTool as AnyTool, validInput: { file_path: 'b.txt', content: '' }, invalidInput: { file_path: 'b.txt' } },
  {
    tool: editTool as AnyTool,
    validInput: { file_path: 'a.txt', old_string: 'one', new_string: '' },
    invalidInput: { old_string: 'one', new_string: '' },
  },
  { tool: globTool as AnyTool, validInput: { pattern: '**/*' }, invalidInput: { pattern: 3 } },
  { tool: bashTool as AnyTool, validInput: { command: 'true' }, invalidInput: { command: '' } },
])('$tool.name', (options) => {
  for (const { name, run } of toolConformance({ ...options, openSandbox: () => open({ 'a.txt': 'one\n' }) })) it(name, run);
});

describe('tool definitions', () => {
  it('are the five of FrogNano with its parameter names and no alias', () => {
    const shapes = leafTools()
      .map(toolDefinition)
      .map(({ name, parameters }) => [name, Object.keys(parameters.properties as object), parameters.required]);
    expect(shapes).toEqual([
      ['Read', ['file_path', 'offset', 'limit'], ['file_path']],
      ['Write', ['file_path', 'content'], ['file_path', 'content']],
      ['Edit', ['file_path', 'old_string', 'new_string', 'replace_all'], ['file_path', 'old_string', 'new_string']],
      ['Glob', ['pattern', 'path'], ['pattern']],
      ['Bash', ['command', 'description', 'timeout'], ['command']],
    ]);
  });

  it('refuse a schema that JSON Schema cannot express', () => {
    const tool = defineTool({ name: 'When', description: 'x', inputSchema: z.object({ at: z.date() }), execute: async () => '' });
    expect(() => toolDefinition(tool)).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  });
});

describe('Read', () => {
  it('prints the relative path and numbered lines without carriage returns', async () => {
    const sandbox = await open({ 'src/a.js': 'let a;\r\n\r\nlet ü;\n' });
    expect(await call(readTool, { file_path: './src/a.js' }, sandbox)).toBe('src/a.js\n1. let a;\n2. \n3. let ü;');
  });

  it('starts at a 1-based offset and keeps to the limit', async () => {
    const sandbox = await open({ 'a.txt': 'one\ntwo\nthree\nfour\n' });
    expect(await call(readTool, { path: 'a.txt', offset: 2, limit: 2 }, sandbox)).toBe('a.txt\n2. two\n3. three');
    expect(await call(readTool, { path: 'a.txt', offset: 5 }, sandbox)).toBe(
      'ValueError: a.txt: expected offset between 1 and 4, received 5.',
    );
  });

  it('prints the path alone for an empty file', async () => {
    expect(await call(readTool, { file_path: 'a.txt' }, await open({ 'a.txt': '' }))).toBe('a.txt');
  });

  it('keeps head and tail of a long text and counts the characters between', async () => {
    const sandbox = await open({ 'a.txt': `${'x'.repeat(30_000)}END\n` });
    const text = await call(readTool, { file_path: 'a.txt' }, sandbox);
    // 'a.txt\n1. ' is 9 characters: 30,012 in all, of which 20,000 are kept.
    expect(text).toContain('\n[truncated 10012 chars]\n');
    expect(text.startsWith('a.txt\n1. xxx')).toBe(true);
    expect(text.endsWith('xxxEND')).toBe(true);
  });

  it('says that a missing file is missing and that a folder is no file', async () => {
    const sandbox = await open({ 'd/a.txt': '' });
    expect(await call(readTool, { file_path: 'b.txt' }, sandbox)).toBe(
      'FileNotFoundError: b.txt: expected an existing file, received a path at which there is none.',
    );
    expect(await call(readTool, { file_path: 'd' }, sandbox)).toBe(
      'TadpoleError: d: expected a regular file, received a folder or device.',
    );
  });

  it('expands the home folder and takes an absolute path', async () => {
    const sandbox = await open({ 'a.txt': 'one\n' });
    expect(await call(readTool, { file_path: '~/a.txt' }, sandbox)).toBe('~/a.txt\n1. one');
    expect(await call(readTool, { file_path: `${sandbox.directory}/a.txt` }, sandbox)).toBe(`${sandbox.directory}/a.txt\n1. one`);
  });
});

describe('Write', () => {
  it('makes folders, replaces the file and counts UTF-8 bytes', async () => {
    const sandbox = await open({ 'a/b.txt': 'old' });
    expect(await call(writeTool, { file_path: 'a/b.txt', content: 'ü\n' }, sandbox)).toBe('Wrote a/b.txt (3 bytes).');
    expect(await call(writeTool, { path: 'n/e/w.txt', content: '' }, sandbox)).toBe('Wrote n/e/w.txt (0 bytes).');
    expect((await bytesOf(sandbox, 'a/b.txt')).toString()).toBe('ü\n');
  });
});

describe('Edit', () => {
  const edit = (input: object, sandbox: OwnedSandbox) => call(editTool, { file_path: 'a.txt', ...input }, sandbox);

  it('replaces a unique text and every one with replace_all', async () => {
    const sandbox = await open({ 'a.txt': 'a b c b\n' });
    expect(await edit({ old_string: 'a', new_string: '$&' }, sandbox)).toBe('Edited a.txt (1 replacement).');
    expect(await edit({ old_string: 'b', new_string: '', replace_all: true }, sandbox)).toBe('Edited a.txt (2 replacements).');
    expect((await bytesOf(sandbox, 'a.txt')).toString()).toBe('$&  c \n');
  });

  it('refuses a text that is absent, ambiguous, empty or unchanged, and leaves the file as it was', async () => {
    const sandbox = await open({ 'a.txt': 'aaa' });
    expect(await edit({ old_string: 'b', new_string: '' }, sandbox)).toContain(
      'ValueError: a.txt: expected old_string to occur in the file',
    );
    expect(await edit({ old_string: 'aa', new_string: '' }, sandbox)).toContain('matched 2 times');
    expect(await edit({ old_string: '', new_string: 'x' }, sandbox)).toContain('received an empty one');
    expect(await edit({ old_string: 'a', new_string: 'a' }, sandbox)).toContain('received the same text');
    expect((await bytesOf(sandbox, 'a.txt')).toString()).toBe('aaa');
  });

  it('keeps the byte order mark, CRLF and bytes that are not UTF-8', async () => {
    const before = Buffer.concat([Buffer.from('\uFEFFone\r\ntwo\r\n'), Buffer.from([0xff, 0xfe]), Buffer.from('\r\n')]);
    const sandbox = await open({ 'a.txt': before });
    expect(await edit({ old_string: 'one\ntwo', new_string: 'ünï\nx' }, sandbox)).toBe('Edited a.txt (1 replacement).');
    expect(await bytesOf(sandbox, 'a.txt')).toEqual(
      Buffer.concat([Buffer.from('\uFEFFünï\r\nx\r\n'), Buffer.from([0xff, 0xfe]), Buffer.from('\r\n')]),
    );
  });

  it('refuses a result that no file should have, in words, and leaves the file as it was', async () => {
    const sandbox = await open({ 'a.txt': 'a'.repeat(2 ** 20) });
    expect(await edit({ old_string: 'a', new_string: 'b'.repeat(65), replace_all: true }, sandbox)).toBe(
      'ValueError: a.txt: expected a result of at most 67108864 bytes, received an edit that makes 68157440. Nothing was changed.',
    );
    expect(await bytesOf(sandbox, 'a.txt')).toHaveLength(2 ** 20);
    // This one would be longer than any string of the language.
    const huge = await edit({ old_string: 'a', new_string: 'b'.repeat(2 ** 12), replace_all: true }, sandbox);
    expect(huge).toMatch(/^ValueError: a\.txt: .*makes 4294967296\./);
  });

  it('keeps the mode of the file', async () => {
    const sandbox = await open({ 'a.txt': 'one' });
    await sandbox.run({ command: 'chmod 751 a.txt' });
    await edit({ old_string: 'one', new_string: 'two' }, sandbox);
    expect((await sandbox.run({ command: 'stat -c %a a.txt; cat a.txt' })).stdout).toBe('751\ntwo');
  });

  it('matches exactly in a file with mixed line ends', async () => {
    const sandbox = await open({ 'a.txt': 'one\r\ntwo\nthree' });
    expect(await edit({ old_string: 'one\ntwo', new_string: 'x' }, sandbox)).toContain('not found');
    expect(await edit({ old_string: 'two\nthree', new_string: 'x' }, sandbox)).toBe('Edited a.txt (1 replacement).');
  });
});

describe('Glob', () => {
  it('lists sorted relative files, one a line, and says when none matched', async () => {
    const sandbox = await open({ 'b.js': '', 'a/c.js': '', 'a/d.ts': '', '.hidden/e.js': '' });
    expect(await call(globTool, { pattern: '**/*.{js,mjs}' }, sandbox)).toBe('.hidden/e.js\na/c.js\nb.js');
    expect(await call(globTool, { pattern: '*', path: 'a' }, sandbox)).toBe('a/c.js\na/d.ts');
    expect(await call(globTool, { pattern: '*.py' }, sandbox)).toBe('No files matched.');
  });

  it('keeps 1000 files and counts the rest', async () => {
    const sandbox = await open();
    await sandbox.run({ command: 'touch f{1000..2002}' });
    const lines = (await call(globTool, { pattern: '*' }, sandbox)).split('\n');
    expect([lines.length, lines[999], lines[1000]]).toEqual([1001, 'f1999', '... 3 more files']);
  });
});

describe('Bash', () => {
  it('prints exit code and both streams of a fresh shell', async () => {
    const sandbox = await open();
    expect(await call(bashTool, { command: 'echo out; echo err >&2; exit 3' }, sandbox)).toBe('Exit code: 3\nSTDOUT:\nout\nSTDERR:\nerr');
    expect(await call(bashTool, { command: 'cat; true', description: 'no input' }, sandbox)).toBe('Exit code: 0\nSTDOUT:\n\nSTDERR:\n');
  });

  it('prints the time and the partial streams of a command that ran out of time', async () => {
    const text = await call(bashTool, { command: 'echo begun; sleep 60', timeout: 2 }, await open());
    expect(text).toBe('Timed out after 2.0s\nSTDOUT:\nbegun\nSTDERR:\n');
  });

  it('returns while a background process still holds the streams, and ends it', async () => {
    const sandbox = await open();
    const text = await call(bashTool, { command: 'sleep 600 & echo $! > pid; echo hi' }, sandbox);
    expect(text).toBe('Exit code: 0\nSTDOUT:\nhi\nSTDERR:\n');
    const pid = Number(await bytesOf(sandbox, 'pid'));
    // Killed, it may still have to be reaped.
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('leaves no process of a command that ran out of time', async () => {
    const sandbox = await open();
    await call(bashTool, { command: '(sleep 600 & echo $! > pid; wait)', timeout: 1 }, sandbox);
    const pid = Number(await bytesOf(sandbox, 'pid'));
    // Killed, it may still have to be reaped.
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('ends the run instead of calling a kill a success when the sandbox says that processes survive', async () => {
    const sandbox = await open();
    const survivors = () => Promise.reject(new TadpoleError({ code: 'sandbox', message: 'process 7 survived its call' }));
    await expect(call(bashTool, { command: 'true' }, { ...sandbox, run: survivors })).rejects.toMatchObject({ code: 'sandbox' });
  });

  it('keeps a bounded part of an endless output and counts every byte of the rest', async () => {
    const text = await call(bashTool, { command: 'yes | head -c 200M' }, await open());
    expect(text.length).toBeLessThan(31_000);
    expect(text.endsWith(`[the sandbox dropped ${200 * 2 ** 20 - 1_000_000} bytes of output]`)).toBe(true);
  });

  it.each([[{ timeout_ms: 5_000_000 }, 1_000_000]])('takes %j as %d ms', async (input, timeoutMs) => {
    let asked: number | undefined;
    const never = () => Promise.reject(new Error('not expected'));
    const sandbox: OwnedSandbox = {
      id: 'scripted',
      async run(options) {
        asked = options.timeoutMs;
        return { exitCode: 0, timedOut: false, stdout: '', stderr: '', droppedBytes: 0, durationMs: 0 };
      },
      readFile: never,
      writeFile: never,
      glob: never,
      diff: never,
      dispose: never,
    };
    await call(bashTool, { command: 'true', ...input }, sandbox);
    expect(asked).toBe(timeoutMs);
  });

  it('keeps head and tail of each stream and reports what the sandbox dropped', async () => {
    const sandbox = await unsafeDirectorySandbox({ outputBytes: 50_000 });
    opened.push(sandbox);
    const command = `node -e "process.stdout.write('A' + 'x'.repeat(49998) + 'Z'); process.stderr.write('B' + 'y'.repeat(50008) + 'E')"`;
    const text = await call(bashTool, { command }, sandbox);
    // 15,000 characters of each stream are kept.
    expect(text.match(/\[truncated 35000 chars\]/g)).toHaveLength(2);
    expect(text).toMatch(/STDOUT:\nAx+\n\[truncated 35000 chars\]\nx+Z\nSTDERR:\nBy/);
    expect(text.endsWith('[the sandbox dropped 10 bytes of output]')).toBe(true);
  });

  it('keeps a shortened output whole in a file that Read can read, and says nothing of it where there is no space', async () => {
    const sandbox = await open();
    const command = `node -e "for (let n = 1; n <= 9000; n++) console.log('line', n)"`;
    const text = await call(bashTool, { command }, sandbox);
    const [, path] = /\[not shortened: (.*)\]$/.exec(text)!;
    expect(text).not.toContain('line 4500\n');
    expect(await call(readTool, { file_path: path, offset: 4501, limit: 1 }, sandbox)).toBe(`${path}\n4501. line 4500`);
    const full = () => Promise.reject(new TadpoleError({ code: 'invalid-input', message: 'no space left' }));
    expect(await call(bashTool, { command }, { ...sandbox, writeFile: full })).toBe(text.replace(/\n\[not shortened: .*\]$/, ''));
  });

  it('gives one stream the room that the other does not use', async () => {
    const text = await call(bashTool, { command: `node -e "process.stdout.write('x'.repeat(29000)); console.error('e')"` }, await open());
    expect(text).toBe(`Exit code: 0\nSTDOUT:\n${'x'.repeat(29_000)}\nSTDERR:\ne`);
  });
});
