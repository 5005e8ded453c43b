import type { AnyTool, Sandbox } from '@tadpole/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leafExactProfile, leafProfile } from '../src/index.js';
import { executeToolCall } from '../src/loop/execute-tool-call.js';
import { keepHead } from '../src/tools/keep-head.js';
import { keepHeadAndTail } from '../src/tools/keep-head-and-tail.js';
import { findBytes } from '../src/tools/replace-bytes.js';

/** A sandbox of one file in memory, since the files here are larger than a disk should be asked for. */
const fileOf = (given: Uint8Array) => {
  const file = { bytes: given };
  const sandbox = {
    readFile: async () => file.bytes,
    writeFile: async (_path: string, content: string | Uint8Array) => {
      file.bytes = Buffer.from(content as Uint8Array);
    },
  } as unknown as Sandbox;
  return { file, sandbox };
};
const call = async (tools: readonly AnyTool[], name: string, input: object, sandbox: Sandbox) =>
  (
    await executeToolCall({
      toolCall: { id: '1', name, arguments: JSON.stringify({ file_path: 'f', ...input }) },
      tools,
      context: { sandbox: sandbox as never },
    })
  ).content;
const fail = (message: string) => new Error(message);

describe.each([
  { profile: 'leaf', tools: leafProfile().tools },
  { profile: 'leaf-exact', tools: leafExactProfile().tools },
])('the tools of $profile', ({ profile, tools }) => {
  it('show the ends of a file of line ends alone, and how much of it they leave out', async () => {
    const { sandbox } = fileOf(Buffer.alloc(60_000_000, '\n'));
    const shown = await call(tools, 'Read', {}, sandbox);
    expect(shown).toMatch(/^f\n1\. \n2\. \n/);
    // Every line has its number, a point, a space and a line end, but the last one; `f` and its line end come before.
    const digits = Array.from({ length: 8 }, (_, power) => 60_000_000 - 10 ** power + 1).reduce((sum, count) => sum + count);
    expect(shown).toContain(`[truncated ${digits + 3 * 60_000_000 - 1 + 2 - 20_000} chars]`);
    if (profile === 'leaf') expect(shown.endsWith('\n60000000. ')).toBe(true);
    expect(await call(tools, 'Read', { offset: 59_999_999 }, sandbox)).toBe('f\n59999999. \n60000000. ');
  });

  it('answer for a file above 64 MiB that it is too large, and leave it as it is', async () => {
    const { file, sandbox } = fileOf(Buffer.alloc(140_000_000, 'a'));
    const given = file.bytes;
    for (const [name, input] of [
      ['Read', {}],
      ['Edit', { old_string: 'a', new_string: 'b', replace_all: true }],
    ] as const)
      expect(await call(tools, name, input, sandbox)).toContain('expected a file of at most 67108864 bytes, received one of 140000000');
    expect(file.bytes).toBe(given);
  });

  it('answer for a text that occurs millions of times that it is too much', async () => {
    const { sandbox } = fileOf(Buffer.alloc(60_000_000, 'a'));
    const shown = await call(tools, 'Edit', { old_string: 'a', new_string: 'b', replace_all: true }, sandbox);
    expect(shown).toContain('expected old_string to occur at most 2000000 times');
  });

  it('find a text that overlaps itself, or nearly occurs everywhere, without trying every place anew', async () => {
    const { file, sandbox } = fileOf(Buffer.alloc(20_000_000, 'a'));
    const search = 'a'.repeat(500_000);
    const missing = await call(tools, 'Edit', { old_string: `b${search}`, new_string: 'c' }, sandbox);
    expect(missing).toContain('not found');
    file.bytes = file.bytes.subarray(0, 1_000_000);
    expect(await call(tools, 'Edit', { old_string: search, new_string: 'c', replace_all: true }, sandbox)).toBe(
      'Edited f (2 replacements).',
    );
    expect(Buffer.from(file.bytes).toString()).toBe('cc');
  });

  it('show of any file what making all its lines would show', async () => {
    const [offset, limit] = [fc.integer({ min: 1, max: 12 }), fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined })];
    const content = fc.string({ unit: fc.constantFrom('\n', '\r\n', 'a', '😀', 'bcd'), maxLength: 40 });
    const characters = fc.integer({ min: 1, max: 60 });
    await fc.assert(
      fc.asyncProperty(content, offset, limit, characters, async (text, from, count, readCharacters) => {
        const given = (profile === 'leaf' ? leafProfile : leafExactProfile)({ caps: { readCharacters } }).tools;
        const lines = text.split(/\r?\n/);
        if (lines.at(-1) === '') lines.pop();
        fc.pre(from <= Math.max(1, lines.length));
        const numbered = lines
          .map((line, index) => `${index + 1}. ${line}`)
          .slice(from - 1, count === undefined ? undefined : from - 1 + count);
        const whole = ['f', ...numbered].join('\n');
        const shorten = profile === 'leaf' ? keepHeadAndTail : keepHead;
        const shown = await call(given, 'Read', { offset: from, limit: count }, fileOf(Buffer.from(text)).sandbox);
        expect(shown).toBe(shorten({ text: whole, limit: readCharacters }));
      }),
    );
  });
});

describe('a search for bytes', () => {
  it('finds every place, overlapping or not', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 30 });
    fc.assert(
      fc.property(text, fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 4 }), (file, search) => {
        const places = [...file].map((_, at) => at).filter((at) => file.startsWith(search, at));
        const { positions, overlapping } = findBytes({ bytes: Buffer.from(file), search: Buffer.from(search), fail });
        expect(overlapping).toBe(places.length);
        expect(positions).toHaveLength(file.split(search).length - 1);
        expect(places).toEqual(expect.arrayContaining([...positions]));
      }),
    );
  });
});
