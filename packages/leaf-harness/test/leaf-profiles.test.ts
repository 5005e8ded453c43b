import type { OwnedSandbox, ToolCall } from '@tadpole/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool, type HarnessProfile, leafExactProfile, leafProfile, toolDefinition } from '../src/index.js';
import { executeToolCall } from '../src/loop/execute-tool-call.js';
import { unsafeDirectorySandbox } from '../src/testing/index.js';

let opened: OwnedSandbox[] = [];
afterEach(async () => {
  await Promise.all(opened.map((sandbox) => sandbox.dispose()));
  opened = [];
});

/** A tool without required parameters: what it answers shows whether it was run. */
const ping = defineTool({ name: 'Ping', description: 'Answers.', inputSchema: z.object({}), execute: async () => 'ran' });
const fails = defineTool({
  name: 'Fails',
  description: 'Fails.',
  inputSchema: z.object({}),
  execute: () => Promise.reject(new RangeError('too far')),
});

const answer = async (profile: HarnessProfile, toolCall: Omit<ToolCall, 'id'>, sandbox: OwnedSandbox) => {
  const tools = [...profile.tools, ping, fails];
  return (await executeToolCall({ toolCall: { id: '1', ...toolCall }, tools, rules: profile.callRules, context: { sandbox } })).content;
};

type Expected = string | RegExp;
interface Line {
  /** A line of frognano.md, sections 2.1 and 2.2. */
  readonly line: string;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly tool: string;
  /** An object, or the text as a model wrote it. */
  readonly input: object | string;
  readonly leaf: Expected;
  readonly exact: Expected;
  /** What the file `a.txt` holds afterwards. */
  readonly after?: { readonly leaf: string | Uint8Array; readonly exact: string | Uint8Array };
}
const both = (expected: Expected) => ({ leaf: expected, exact: expected });
const bytes = (...parts: (string | number[])[]) => Buffer.concat(parts.map((part) => Buffer.from(part as string)));
const a = { file_path: 'a.txt' };
/** 45 characters of 2 UTF-16 units and 4 bytes each. */
const frogs = '🐸'.repeat(45);

const lines: Line[] = [
  {
    line: 'malformed JSON arguments: answered, or {} and the tool is run',
    tool: 'Ping',
    input: '{"a": ',
    leaf: /^InvalidArgumentsError: Ping: expected the arguments as one JSON object, received text that is not JSON .* The tool was not run\.$/,
    exact: 'ran',
  },
  {
    line: 'arguments that are no object',
    tool: 'Ping',
    input: '[1]',
    leaf: 'InvalidArgumentsError: Ping: expected the arguments as one JSON object, received an array. The tool was not run.',
    exact: 'ran',
  },
  {
    line: 'malformed arguments show the original the parameter that is missing',
    tool: 'Write',
    input: '{"file_path": "a.txt", "content": "x',
    leaf: /^InvalidArgumentsError: Write: expected the arguments as one JSON object/,
    exact: 'ValueError: file_path is required',
  },
  {
    line: 'a required parameter that is missing',
    tool: 'Read',
    input: {},
    leaf: 'InvalidArgumentsError: Read: the tool was not run.\nfile_path: Invalid input: expected string, received undefined',
    exact: 'ValueError: file_path is required',
  },
  {
    line: 'Unknown tool: X',
    tool: 'Grep',
    input: {},
    leaf: 'Unknown tool: Grep. Available tools: Read, Write, Edit, Glob, Bash, Ping, Fails.',
    exact: 'Unknown tool: Grep',
  },
  { line: 'tool exceptions => ErrType: message', tool: 'Fails', input: {}, ...both('RangeError: too far') },
  {
    line: 'Read: relative path, then `N. text`',
    files: { 'a.txt': 'one\n\nü\n' },
    tool: 'Read',
    input: { file_path: './a.txt' },
    ...both('a.txt\n1. one\n2. \n3. ü'),
  },
  {
    line: 'Read: alias path, 1-based offset, limit',
    files: { 'a.txt': '1\n2\n3\n4' },
    tool: 'Read',
    input: { path: 'a.txt', offset: 2, limit: 2 },
    ...both('a.txt\n2. 2\n3. 3'),
  },
  { line: 'Read: ~ is expanded', files: { 'a.txt': 'x' }, tool: 'Read', input: { file_path: '~/a.txt' }, ...both('~/a.txt\n1. x') },
  { line: 'Read: CRLF is not shown', files: { 'a.txt': 'x\r\ny\r\n' }, tool: 'Read', input: a, ...both('a.txt\n1. x\n2. y') },
  {
    line: 'Read: text mode takes a lone carriage return as a line end',
    files: { 'a.txt': 'x\ry' },
    tool: 'Read',
    input: a,
    leaf: 'a.txt\n1. x\ry',
    exact: 'a.txt\n1. x\n2. y',
  },
  {
    line: 'Read: UTF-8 with replacement, byte order mark',
    files: { 'a.txt': bytes('\uFEFFx', [0xff]) },
    tool: 'Read',
    input: a,
    leaf: 'a.txt\n1. x\uFFFD',
    exact: 'a.txt\n1. \uFEFFx\uFFFD',
  },
  {
    line: 'Read: nothing past the last line',
    files: { 'a.txt': 'x' },
    tool: 'Read',
    input: { ...a, offset: 9 },
    leaf: 'ValueError: a.txt: expected offset between 1 and 1, received 9.',
    exact: 'a.txt',
  },
  {
    line: 'Read: 20,000 chars then [truncated K chars]; here 40',
    files: { 'a.txt': `${frogs}END` },
    tool: 'Read',
    input: a,
    // 'a.txt\n1. ' is 9 characters: 57 in all.
    leaf: `a.txt\n1. ${'🐸'.repeat(11)}\n[truncated 17 chars]\n${'🐸'.repeat(17)}END`,
    exact: `a.txt\n1. ${'🐸'.repeat(31)}\n[truncated 17 chars]`,
  },
  {
    line: 'Write: creates parents, n is characters in the original',
    tool: 'Write',
    input: { file_path: 'n/e/w.txt', content: 'ü🐸' },
    leaf: 'Wrote n/e/w.txt (6 bytes).',
    exact: 'Wrote n/e/w.txt (2 bytes).',
  },
  { line: 'Write: alias path', tool: 'Write', input: { path: 'b.txt', content: '' }, ...both('Wrote b.txt (0 bytes).') },
  {
    line: 'Edit: k replacements, new_string may be empty',
    files: { 'a.txt': 'a b a' },
    tool: 'Edit',
    input: { path: 'a.txt', old_string: 'a', new_string: '', replace_all: true },
    ...both('Edited a.txt (2 replacements).'),
    after: { leaf: ' b ', exact: ' b ' },
  },
  {
    line: 'Edit: unique unless replace_all',
    files: { 'a.txt': 'a b a' },
    tool: 'Edit',
    input: { ...a, old_string: 'a', new_string: 'c' },
    leaf: /^ValueError: a\.txt: expected old_string to occur once, received a text that matched 2 times\./,
    exact: 'ValueError: a.txt: old_string matched 2 times',
    after: { leaf: 'a b a', exact: 'a b a' },
  },
  {
    line: 'Edit: matches that overlap are ambiguous, or counted as one',
    files: { 'a.txt': 'aaa' },
    tool: 'Edit',
    input: { ...a, old_string: 'aa', new_string: 'b' },
    leaf: /matched 2 times/,
    exact: 'Edited a.txt (1 replacement).',
    after: { leaf: 'aaa', exact: 'ba' },
  },
  {
    line: 'Edit: not found',
    files: { 'a.txt': 'a' },
    tool: 'Edit',
    input: { ...a, old_string: 'b', new_string: 'c' },
    leaf: /^ValueError: a\.txt: expected old_string to occur in the file, received a text that was not found\./,
    exact: 'ValueError: a.txt: old_string was not found',
  },
  {
    line: 'Edit: empty old_string',
    files: { 'a.txt': 'a' },
    tool: 'Edit',
    input: { ...a, old_string: '', new_string: 'c' },
    leaf: /^ValueError: a\.txt: expected old_string with at least one character, received an empty one\./,
    exact: 'ValueError: a.txt: old_string is empty',
  },
  {
    line: 'Edit: bytes, or text mode that loses CRLF and bytes that are not UTF-8',
    files: { 'a.txt': bytes('\uFEFFone\r\ntwo', [0xff], '\r\n') },
    tool: 'Edit',
    input: { ...a, old_string: 'one\ntwo', new_string: 'x\ny' },
    ...both('Edited a.txt (1 replacement).'),
    after: { leaf: bytes('\uFEFFx\r\ny', [0xff], '\r\n'), exact: '\uFEFFx\ny\uFFFD\n' },
  },
  {
    line: 'Glob: sorted, relative, one per line',
    files: { 'b.js': '', 'd/a.js': '', 'c.ts': '' },
    tool: 'Glob',
    input: { pattern: '**/*.js' },
    ...both('b.js\nd/a.js'),
  },
  { line: 'Glob: No files matched.', tool: 'Glob', input: { pattern: '*.py' }, ...both('No files matched.') },
  {
    line: 'Glob: 1000 then ... K more files; here 2',
    files: { a: '', b: '', c: '', d: '', e: '' },
    tool: 'Glob',
    input: { pattern: '*' },
    ...both('a\nb\n... 3 more files'),
  },
  {
    line: 'Bash: exit code and both streams',
    tool: 'Bash',
    input: { command: 'echo out; echo err >&2; exit 3', description: 'why' },
    ...both('Exit code: 3\nSTDOUT:\nout\nSTDERR:\nerr'),
  },
  {
    line: 'Bash: a fresh process without state; -lc in the original',
    tool: 'Bash',
    input: { command: `shopt -q login_shell && echo "it's a login shell"; true` },
    leaf: 'Exit code: 0\nSTDOUT:\n\nSTDERR:\n',
    exact: /it's a login shell\nSTDERR:/,
  },
  {
    line: 'Bash: Timed out after 1.0s with the partial streams',
    tool: 'Bash',
    input: { command: 'echo begun; sleep 60', timeout: 1 },
    ...both('Timed out after 1.0s\nSTDOUT:\nbegun\nSTDERR:\n'),
  },
  {
    line: 'Bash: a time under a tenth of a second',
    tool: 'Bash',
    input: { command: 'sleep 60', timeout: 0.001 },
    leaf: 'Timed out after 0.001s\nSTDOUT:\n\nSTDERR:\n',
    exact: 'Timed out after 0.0s\nSTDOUT:\n\nSTDERR:\n',
  },
  {
    line: 'Bash: 30,000 chars, head and tail of each stream or head of the whole; here 60',
    tool: 'Bash',
    input: { command: `printf 'A%s\\n' ${'x'.repeat(98)}Z; printf 'FAILED\\n' >&2` },
    leaf: /^Exit code: 0\nSTDOUT:\nAx{26}\n\[truncated 46 chars\]\nx{26}Z\nSTDERR:\nFAILED\n\[not shortened: spill\/leaf-output-[0-9a-f]{12}\.txt\]$/,
    exact: `Exit code: 0\nSTDOUT:\nA${'x'.repeat(38)}\n[truncated 76 chars]`,
  },
];

describe('a line of the released Leaf', () => {
  const caps = { readCharacters: 40, bashCharacters: 60, globFiles: 2 };
  const profiles = [leafProfile({ caps, outputFolder: 'spill' }), leafExactProfile({ caps })] as const;

  it.each(lines)('$line', async ({ files = {}, tool, input, leaf, exact, after }) => {
    for (const [profile, expected, left] of [
      [profiles[0], leaf, after?.leaf],
      [profiles[1], exact, after?.exact],
    ] as const) {
      const sandbox = await unsafeDirectorySandbox({ files });
      opened.push(sandbox);
      const text = await answer(profile, { name: tool, arguments: typeof input === 'string' ? input : JSON.stringify(input) }, sandbox);
      if (typeof expected === 'string') expect(text, profile.profile).toBe(expected);
      else expect(text, profile.profile).toMatch(expected);
      if (left !== undefined) expect(Buffer.from((await sandbox.readFile('a.txt'))!), profile.profile).toEqual(Buffer.from(left as string));
    }
  });

  it.each([
    [{}, 120_000, 120_000],
    [{ timeout: 7 }, 7_000, 7_000],
    [{ timeout: 1000 }, 1_000_000, 1_000_000],
    [{ timeout: 1500 }, 1_500, 1_500],
    [{ timeout_ms: 300 }, 300, 300],
    [{ timeout_ms: 900_000, timeout: 2 }, 2_000, 2_000],
    // The original has no maximum; a second number above 1,000 is milliseconds once more.
    [{ timeout: 9_999_999 }, 1_000_000, 9_999_999],
  ])('Bash: %j is %d ms by default and %d ms in the original', async (input, leaf, exact) => {
    for (const [profile, expected] of [
      [leafProfile(), leaf],
      [leafExactProfile(), exact],
    ] as const) {
      const asked: (number | undefined)[] = [];
      const never = () => Promise.reject(new Error('not expected'));
      const sandbox: OwnedSandbox = {
        ...{ id: 'scripted', readFile: never, writeFile: never, glob: never, diff: never, dispose: never },
        async run({ timeoutMs }) {
          asked.push(timeoutMs);
          return { exitCode: 0, timedOut: false, stdout: '', stderr: '', droppedBytes: 0, durationMs: 0 };
        },
      };
      await answer(profile, { name: 'Bash', arguments: JSON.stringify({ command: 'true', ...input }) }, sandbox);
      expect(asked).toEqual([expected]);
    }
  });

  it('is told to the model in the same names, parameters and texts by both profiles', () => {
    const [leaf, exact] = [leafProfile(), leafExactProfile()];
    expect(exact.tools.map(toolDefinition)).toEqual(leaf.tools.map(toolDefinition));
    expect(exact.systemPrompt).toBe(leaf.systemPrompt);
    expect(leaf.systemPrompt.match(/\.(?= |$)/g)).toHaveLength(3);
  });
});

describe('a profile', () => {
  it('names the default and the maximum of a Bash timeout in the schema that the model gets', () => {
    const bash = toolDefinition(leafProfile({ caps: { bashSeconds: 30 } }).tools[4]!);
    const { timeout } = bash.parameters.properties as Record<string, { description: string }>;
    expect(timeout?.description).toMatch(/Default: 30\. Maximum: 1000;/);
    expect(bash.description).toContain('after 30 seconds');
  });

  it.each([{ bashSeconds: 2000 }, { readChars: 5 }, { globFiles: 0 }])('refuses the caps %j', (caps) => {
    expect(() => leafProfile({ caps: caps as never })).toThrow(expect.objectContaining({ code: 'invalid-config' }));
  });
});
