import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Candidate } from '@tadpole/contracts';
import { describe, expect, test } from 'vitest';
import { applyEdits } from '../src/edit/apply-edits.js';
import { createReleaseGenerator } from '../src/reversal/create-release-generator.js';
import { seededRandom } from '../src/seeded-random.js';
import { generatorConformance } from '../src/testing/index.js';
import { validateCandidate } from '../src/validate/validate-candidate.js';
import { sampleFiles, sampleLimits, sampleSnapshot, writeProject } from './support/sample-project.js';
import { createNodeTestExecutor } from './support/test-executors.js';

const [range, list] = [sampleFiles['lib/range.js']!, sampleFiles['lib/list.js']!];

/** The agent's text of every file of every candidate, in the candidates' order. */
async function undo(options: {
  older: Record<string, string>;
  newer: Record<string, string>;
  seed?: number;
  maxFiles?: number;
  maxChangedLines?: number;
}) {
  const { older, newer, seed = 1, ...limits } = options;
  const generator = createReleaseGenerator({ older: writeProject(older), ...limits });
  const candidates: Candidate[] = [];
  for await (const candidate of generator.propose({ snapshot: sampleSnapshot({ files: newer }), random: seededRandom(seed) }))
    candidates.push(candidate);
  const trees = candidates.map(({ edits }) =>
    Object.fromEntries(
      [...new Set(edits.map(({ file }) => file))].map((file) => [
        file,
        applyEdits(
          newer[file] ?? null,
          edits.filter((edit) => edit.file === file),
        ),
      ]),
    ),
  );
  return { candidates, trees };
}

/** A file whose parts stand far enough apart to be hunks of their own. */
const parts = (...lines: string[]) =>
  lines.map((line, index) => `${line}\nkeep(${index}, 1);\nkeep(${index}, 2);\nkeep(${index}, 3);\n`).join('');

describe('the difference between two versions', () => {
  test('is split into hunks that are undone alone, and the file as a whole', async () => {
    const newer = { 'lib/a.js': parts('exports.a = 1;', 'exports.b = 2;') };
    const older = { 'lib/a.js': parts('exports.a = 3;', 'exports.b = 4;') };
    const { candidates, trees } = await undo({ older, newer });
    expect(trees.map((tree) => tree['lib/a.js']).sort()).toEqual(
      [parts('exports.a = 3;', 'exports.b = 2;'), parts('exports.a = 1;', 'exports.b = 4;'), older['lib/a.js']].sort(),
    );
    expect(candidates.map(({ lineage }) => lineage)).toContainEqual({
      ...{ generator: 'release', operator: 'reverse-release', file: 'lib/a.js', line: 5, taskType: 'bug-fix' },
    });
  });

  test.each<[string, string, string]>([
    ['introduces a name', parts('const top = 1;', 'x(top);'), parts('', 'x(1);')],
    ['introduces a name in a string', parts('options = { depth: 1 };', "check(o['depth']);"), parts('', 'check();')],
    ['drops a name', parts('', 'x(1);'), parts('const top = 1;', 'x(top);')],
    [
      'declares a name that another scope declares too',
      parts('const size = 1;', 'x(size);', 'f = () => { let size = 2; };'),
      parts('', 'x(1);', 'f = () => { let size = 2; };'),
    ],
    ['declares a name that stood there in another role', parts('const size = 1;', 'x(size);', 'y.size;'), parts('', 'x(1);', 'y.size;')],
  ])('keeps a hunk together with the one that %s', async (_, newer, older) => {
    const { trees } = await undo({ older: { 'lib/a.js': older }, newer: { 'lib/a.js': newer } });
    expect(trees).toEqual([{ 'lib/a.js': older }]);
  });

  test.each<[string, string, string]>([
    ['a name that both versions declare', parts('let size = f(1);', 'x(size);'), parts('let size = f(2);', 'y(size);')],
    ['a word of a comment', parts('// brand new\na(1);', '// brand new\nb(1);'), parts('a(2);', 'b(2);')],
  ])('does not tie hunks by %s', async (_, newer, older) => {
    expect((await undo({ older: { 'lib/a.js': older }, newer: { 'lib/a.js': newer } })).trees).toHaveLength(3);
  });

  test('keeps files together by a name that no other file had, and with a file that they need', async () => {
    const newer = {
      'lib/a.js': "const { most } = require('./to-most');\nexports.a = most;\n",
      'lib/b.js': 'exports.most = 1;\n',
      'lib/to-most.js': 'exports.other = 1;\n',
    };
    const older = { 'lib/a.js': 'exports.a = 1;\n', 'lib/b.js': 'exports.less = 1;\n' };
    const { candidates, trees } = await undo({ older, newer });
    expect(trees).toEqual([{ ...older, 'lib/to-most.js': null }]);
    expect(candidates[0]!.lineage).toMatchObject({ file: 'lib/a.js', taskType: 'feature' });
    expect((await undo({ older, newer, maxFiles: 2 })).trees).toEqual([]);
    expect((await undo({ older, newer, maxChangedLines: 5 })).trees).toEqual([]);
  });

  test('brings back a source that the newer version dropped', async () => {
    const newer = { 'lib/a.js': 'exports.a = 1;\n' };
    const older = {
      'lib/a.js': "exports.a = require('./one');\n",
      'lib/one.js': 'module.exports = 2;\n',
      'lib/one.test.js': 'x();\n',
      'tools/x.js': 'x();\n',
    };
    expect((await undo({ older, newer })).trees).toEqual([{ 'lib/a.js': older['lib/a.js'], 'lib/one.js': older['lib/one.js'] }]);
  });

  test('in looks, comments and version numbers gives no candidate', async () => {
    const newer = parts("exports.version = '1.2.0';", '// new', 'f(a, b);', 'g();');
    const older = parts("exports.version = '1.1.9';", '// old', 'f( a,b )', 'h();');
    const { trees } = await undo({ older: { 'lib/a.js': older }, newer: { 'lib/a.js': newer } });
    expect(trees.map((tree) => tree['lib/a.js']).sort()).toEqual([newer.replace('g()', 'h()'), older].sort());
  });

  test('never leaves a file that parses worse', async () => {
    const newer = parts('if (a) {', 'x();', '}');
    const older = parts('', 'y();', '');
    const { trees } = await undo({ older: { 'lib/a.js': older }, newer: { 'lib/a.js': newer } });
    expect(trees.map((tree) => tree['lib/a.js']).sort()).toEqual([older, newer.replace('x()', 'y()')].sort());
  });

  test('comes in another order with another seed', async () => {
    const file = (factor: number) => parts(...Array.from({ length: 8 }, (_, index) => `exports.a${index} = ${index * factor};`));
    const [newer, older] = [{ 'lib/a.js': file(1) }, { 'lib/a.js': file(2) }];
    const [first, second] = [await undo({ older, newer }), await undo({ older, newer, seed: 2 })];
    expect(second.trees).not.toEqual(first.trees);
    expect(new Set(second.trees.map((tree) => tree['lib/a.js']))).toEqual(new Set(first.trees.map((tree) => tree['lib/a.js'])));
  });
});

describe('folders', () => {
  const propose = async (options: Parameters<typeof createReleaseGenerator>[0], snapshot = sampleSnapshot()) => {
    const candidates: Candidate[] = [];
    for await (const candidate of createReleaseGenerator(options).propose({ snapshot, random: () => 0 })) candidates.push(candidate);
    return candidates;
  };
  const faulty = { ...sampleFiles, 'lib/range.js': range.replace('value <= high', 'value < high') };

  test('a newer folder that is not the snapshot is undone where its lines stand in it', async () => {
    const snapshot = sampleSnapshot({ files: { ...sampleFiles, 'lib/range.js': `// Later.\n${range}` } });
    const [candidate] = await propose({ older: writeProject(faulty), newer: writeProject(sampleFiles) }, snapshot);
    expect(candidate?.lineage).toMatchObject({ file: 'lib/range.js', line: 6 });
  });

  test('a file of the snapshot that is no source is not written over', async () => {
    const snapshot = sampleSnapshot({ files: { ...sampleFiles, 'lib/own.js': 'mine();\n' }, sourceFiles: ['lib/range.js', 'lib/list.js'] });
    const older = writeProject({ ...faulty, 'lib/own.js': 'theirs();\n' });
    const candidates = await propose({ older, newer: writeProject(sampleFiles) }, snapshot);
    expect(candidates.map(({ edits }) => edits.map(({ file }) => file))).toEqual([['lib/range.js']]);
  });

  test('links, pipes and binary files in the place of sources are not read', async () => {
    const older = writeProject({ ...faulty, 'lib/list.js': 'a\0b' });
    const outside = writeProject({ 'range.js': faulty['lib/range.js']! });
    rmSync(join(older, 'lib/range.js'));
    symlinkSync(join(outside, 'range.js'), join(older, 'lib/range.js'));
    execFileSync('mkfifo', [join(older, 'lib/pipe.js')]);
    mkdirSync(join(older, 'lib/folder.js'));
    await expect(propose({ older })).rejects.toMatchObject({ code: 'invalid-input', message: /same layout/ });
    const linked = writeProject({ 'lib2/range.js': faulty['lib/range.js']!, 'lib2/list.js': list });
    symlinkSync(join(linked, 'lib2'), join(linked, 'lib'));
    await expect(propose({ older: linked })).rejects.toMatchObject({ code: 'invalid-input', message: /same layout/ });
  });

  test('a missing one, one of another project, and options of the wrong form are refused', async () => {
    await expect(propose({ older: '/nonexistent' })).rejects.toMatchObject({ code: 'invalid-input', message: /nonexistent/ });
    await expect(propose({ older: writeProject({ 'src/x.js': '1;\n' }) })).rejects.toMatchObject({ code: 'invalid-input' });
    expect(() => createReleaseGenerator({ older: '' })).toThrowError(expect.objectContaining({ code: 'invalid-config' }));
    expect(() => createReleaseGenerator({ older: '/x', maxFiles: 0 })).toThrowError(expect.objectContaining({ code: 'invalid-config' }));
  });

  test('a fix between two versions becomes a valid task', async () => {
    const snapshot = sampleSnapshot();
    const candidates = await propose({ older: writeProject(faulty) }, snapshot);
    expect(candidates).toHaveLength(1);
    const executor = createNodeTestExecutor();
    const result = await validateCandidate({ snapshot, candidate: candidates[0]!, executor, limits: sampleLimits, random: () => 0 });
    expect(result).toMatchObject({
      status: 'valid',
      draft: { data: { verifier: { failToPass: ['test/range.test.js::holds its ends'] } } },
    });
  });

  test('keeps the contract of a generator', async () => {
    const older = writeProject({
      ...faulty,
      'lib/list.js': list.replace('total += value', 'total = value').replace('=== 0 ? 0', '=== 0 ? NaN'),
    });
    const cases = generatorConformance({ generator: createReleaseGenerator({ older }), snapshot: sampleSnapshot() });
    expect(cases.length).toBeGreaterThan(5);
    for (const { run } of cases) await run();
  });
});
