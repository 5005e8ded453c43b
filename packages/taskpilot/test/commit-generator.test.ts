import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Candidate, Snapshot } from '@tadpole/contracts';
import { describe, expect, test } from 'vitest';
import { applyEdits } from '../src/edit/apply-edits.js';
import { gitPatch } from '../src/edit/git-patch.js';
import { notReproduced } from '../src/edit/reproduces.js';
import { createCommitGenerator } from '../src/reversal/create-commit-generator.js';
import { seededRandom } from '../src/seeded-random.js';
import { generatorConformance } from '../src/testing/index.js';
import { readTrees } from '../src/validate/candidate-trees.js';
import { validateCandidate } from '../src/validate/validate-candidate.js';
import { type Changes, commitAuthor, commitMessage, createSampleHistory, type SampleHistory, type Step } from './support/sample-history.js';
import { sampleFiles, sampleLimits, sampleSnapshot } from './support/sample-project.js';
import { createNodeTestExecutor } from './support/test-executors.js';

const range = sampleFiles['lib/range.js']!;
const list = sampleFiles['lib/list.js']!;
const files = { ...sampleFiles, 'README.md': 'A sample.\n', 'package-lock.json': '{ "version": "1.0.0" }\n' };
/** The sample before its fix: `contains` leaves its upper end out. */
const faulty = range.replace('value <= high', 'value < high');

type Options = Omit<Parameters<typeof createCommitGenerator>[0], 'repository'>;

/** The state at HEAD of a checkout, as a snapshot. */
function snapshotOf(history: SampleHistory, overrides: Partial<Snapshot> = {}): Snapshot {
  const tracked = readdirSync(join(history.directory, 'lib')).map((name) => `lib/${name}`);
  return sampleSnapshot({ directory: history.directory, sourceFiles: tracked, ...overrides });
}

async function proposeAll(options: { history: SampleHistory; snapshot?: Snapshot; seed?: number } & Options): Promise<Candidate[]> {
  const { history, snapshot = snapshotOf(history), seed = 1, ...settings } = options;
  const candidates: Candidate[] = [];
  const generator = createCommitGenerator({ repository: history.directory, ...settings });
  for await (const candidate of generator.propose({ snapshot, random: seededRandom(seed) })) candidates.push(candidate);
  return candidates;
}

/** A history of the sample whose last commits are the given ones. */
function historyOf(first: Changes, ...commits: (Changes | Step)[]): SampleHistory {
  return createSampleHistory({ steps: [{ ...files, ...first }, ...commits] });
}

const agentText = (candidate: Candidate, file: string, text: string) =>
  applyEdits(
    text,
    candidate.edits.filter((edit) => edit.file === file),
  );

describe('a fix commit', () => {
  test('is undone in the snapshot, in its source alone', async () => {
    const history = historyOf(
      { 'lib/range.js': faulty },
      { 'lib/range.js': range, 'test/new.test.js': '// a test\n', 'README.md': 'Fixed.\n' },
    );
    const candidates = await proposeAll({ history });
    expect(candidates).toHaveLength(1);
    const [{ edits, lineage }] = candidates as [Candidate];
    expect(new Set(edits.map(({ file }) => file))).toEqual(new Set(['lib/range.js']));
    expect(agentText(candidates[0]!, 'lib/range.js', range)).toBe(faulty);
    expect(lineage).toEqual({ generator: 'commit', operator: 'reverse-commit', file: 'lib/range.js', line: 5, taskType: 'bug-fix' });
  });

  test('leaves nothing of the commit but its removed lines in the candidate', async () => {
    const history = historyOf({ 'lib/range.js': faulty }, { 'lib/range.js': range });
    const hash = history.git('rev-parse', 'HEAD');
    const text = JSON.stringify(await proposeAll({ history }));
    expect(text).toContain('value < high');
    for (const secret of [hash.slice(0, 7), commitAuthor, commitMessage, '4711', 'ada@']) expect(text).not.toContain(secret);
  });

  test('becomes a valid task whose gold patch is the fix, while a formatting commit becomes none', async () => {
    const history = historyOf({ 'lib/range.js': faulty }, { 'lib/range.js': range }, { 'lib/list.js': list.replaceAll('  ', '\t') });
    const snapshot = snapshotOf(history);
    const candidates = await proposeAll({ history, snapshot });
    expect(candidates.map(({ lineage }) => lineage.file)).toEqual(['lib/range.js']);
    const executor = createNodeTestExecutor();
    const result = await validateCandidate({ snapshot, candidate: candidates[0]!, executor, limits: sampleLimits, random: () => 0 });
    if (result.status !== 'valid') throw new Error(`${result.reason}: ${result.detail}`);
    expect(result.draft.data.verifier.failToPass).toEqual(['test/range.test.js::holds its ends']);
    expect(result.draft.goldPatch).toContain('-  return value >= low && value < high;\n+  return value >= low && value <= high;');
  });

  test('gives the snapshot back, byte for byte, when its edits and then its gold patch are applied', async () => {
    const bytes = '\uFEFF// 😀\r\nexports.first = 1;\r\nexports.second = 2;\r\n\r\nexports.last = "é"';
    const history = historyOf(
      { 'lib/range.js': faulty, 'lib/bytes.js': bytes.replace('second = 2', 'second = 3').replace('"é"', '"e"\n') },
      { 'lib/range.js': range, 'lib/bytes.js': bytes },
    );
    const snapshot = snapshotOf(history);
    const [candidate] = (await proposeAll({ history, snapshot })) as [Candidate];
    const trees = (await readTrees({ snapshot, candidate })).map(({ path, agent: before, solved: after }) => ({ path, before, after }));
    expect(trees.map(({ path }) => path)).toEqual(['lib/bytes.js', 'lib/range.js']);
    expect(notReproduced({ files: trees, patch: gitPatch({ files: trees }) })).toBeNull();
    for (const { path, after } of trees) expect(after).toBe(readFileSync(join(snapshot.directory, path), 'utf8'));
  });
});

describe('commits that are passed over', () => {
  const other = 'exports.other = 1;\n';
  test.each<[string, Changes, Changes]>([
    ['changes white space alone', { 'lib/range.js': range.replaceAll('  ', '\t') }, { 'lib/range.js': range }],
    [
      'changes quotes, semicolons and trailing commas alone',
      { 'lib/range.js': range.replace("'wide'", '"wide"').replace('width }', 'width, }').replace('return value;', 'return value') },
      { 'lib/range.js': range },
    ],
    ['changes comments alone', { 'lib/range.js': range.replace('Whether a value', 'If a value') }, { 'lib/range.js': range }],
    [
      'changes version numbers alone',
      { 'lib/version.js': "exports.version = '1.2.3';\n" },
      { 'lib/version.js': "exports.version = '1.3.0-rc.1';\n" },
    ],
    ['changes documents and the lock file alone', { 'README.md': 'Old.\n' }, { 'README.md': 'New.\n', 'package-lock.json': '{}\n' }],
    ['changes tests alone', { 'test/range.test.js': '' }, { 'test/range.test.js': sampleFiles['test/range.test.js']! }],
    [
      'moves a source to another language',
      { 'lib/old.ts': other, 'lib/range.js': faulty },
      { 'lib/old.ts': null, 'lib/new.js': other, 'lib/range.js': range },
    ],
    [
      'holds a source that is not UTF-8',
      { 'lib/latin.js': Buffer.from('exports.a = "\xe9";\n', 'latin1') as never },
      { 'lib/latin.js': 'exports.a = "e";\n' },
    ],
    ['holds a binary source', { 'lib/binary.js': 'a\0b' }, { 'lib/binary.js': 'exports.a = 1;\n' }],
  ])('%s', async (_, first, second) => {
    expect(await proposeAll({ history: historyOf({ 'lib/types.ts': 'export {};\n', ...first }, second) })).toEqual([]);
  });

  test('a change of code beside a changed comment is none of them', async () => {
    const before = faulty.replace('Whether a value', 'If a value');
    const [candidate] = await proposeAll({ history: historyOf({ 'lib/range.js': before }, { 'lib/range.js': range }) });
    expect(agentText(candidate!, 'lib/range.js', range)).toBe(before);
  });

  test('in Python, where indentation counts, a moved line is a change and white space inside one is not', async () => {
    const python = 'def f(a):\n    if a:\n        a = 1\n    return a\n';
    const propose = async (before: string) => {
      const history = historyOf({ 'lib/a.py': before }, { 'lib/a.py': python });
      return (await proposeAll({ history })).length;
    };
    expect(await propose(python.replace('    return', '        return'))).toBe(1);
    expect(await propose(python.replace('a = 1', 'a  =  1').replace('return', '# done\n    return'))).toBe(0);
  });

  test('are larger than the limits', async () => {
    const history = historyOf(
      { 'lib/range.js': faulty, 'lib/list.js': list.replace('total += value', 'total = value') },
      { 'lib/range.js': range, 'lib/list.js': list },
    );
    expect(await proposeAll({ history })).toHaveLength(1);
    expect(await proposeAll({ history, maxFiles: 2, maxChangedLines: 4 })).toHaveLength(1);
    expect(await proposeAll({ history, maxFiles: 1 })).toEqual([]);
    expect(await proposeAll({ history, maxChangedLines: 3 })).toEqual([]);
  });

  test('rewrite more than a line diff is asked to look at', async () => {
    const lines = (word: string) => Array.from({ length: 30_000 }, (_, index) => `exports.${word}${index} = ${index};\n`).join('');
    expect(await proposeAll({ history: historyOf({ 'lib/long.js': lines('a') }, { 'lib/long.js': lines('b') }) })).toEqual([]);
  });

  test('are merges, while the commits that they bring are taken', async () => {
    const history = historyOf(
      { 'lib/range.js': faulty },
      { changes: { 'lib/range.js': range }, branch: 'topic' },
      { 'README.md': 'Meanwhile.\n' },
      { changes: { 'lib/range.js': range, 'lib/list.js': `${list}exports.merged = 1;\n` }, merge: 'topic' },
    );
    expect((await proposeAll({ history })).map(({ lineage }) => lineage.file)).toEqual(['lib/range.js']);
    // The merge does not count among the commits.
    expect(await proposeAll({ history, maxCommits: 2 })).toHaveLength(1);
  });

  test('are the first of a history', async () => {
    const history = createSampleHistory({ steps: [{ 'lib/range.js': range }] });
    expect(await proposeAll({ history })).toEqual([]);
  });
});

describe('a commit with others after it', () => {
  const fix: Changes = { 'lib/range.js': range };
  test('is undone where its lines now stand', async () => {
    const moved = range.replace("'use strict';\n", "'use strict';\n\n// One.\n// Two.\n");
    const [candidate] = await proposeAll({ history: historyOf({ 'lib/range.js': faulty }, fix, { 'lib/range.js': moved }) });
    expect(agentText(candidate!, 'lib/range.js', moved)).toBe(moved.replace('value <= high', 'value < high'));
    expect(candidate?.lineage.line).toBe(8);
  });

  test('is passed over when a line of its context has changed since', async () => {
    const changed = range.replace('contains(low, high, value) {', 'contains(low, high, value, ...rest) {');
    expect(
      await proposeAll({ history: historyOf({ 'lib/range.js': faulty }, fix, { 'lib/range.js': changed }), maxCommits: 2 }),
    ).toHaveLength(1);
    const [candidate] = await proposeAll({ history: historyOf({ 'lib/range.js': faulty }, fix, { 'lib/range.js': changed }) });
    expect(agentText(candidate!, 'lib/range.js', changed)).toBe(range);
  });

  test('is passed over when its lines stand twice', async () => {
    const block = 'function a() {\n  start();\n  return 1;\n  end();\n}\n';
    const textsAfter = async (last: string) => {
      const history = historyOf(
        { 'lib/a.js': `top();\n${block.replace('1', '2')}` },
        { 'lib/a.js': `top();\n${block}` },
        { 'lib/a.js': last },
      );
      return (await proposeAll({ history })).map((candidate) => agentText(candidate, 'lib/a.js', last)).sort();
    };
    const second = block.replace('a()', 'b()');
    const [once, twice] = [`other();\ntop();\n${block}${second}`, `top();\n${block}top();\n${block}`];
    expect(await textsAfter(once)).toEqual([once.replace('1', '2'), `top();\n${block}`].sort());
    expect(await textsAfter(twice)).toEqual([`top();\n${block}`]);
  });

  test('and one that repeats it, is proposed once', async () => {
    const history = historyOf({ 'lib/range.js': faulty }, fix, { 'lib/range.js': faulty }, fix);
    expect(await proposeAll({ history })).toHaveLength(1);
  });

  test('undoes no file that is as another commit left it', async () => {
    const history = historyOf({ 'lib/range.js': faulty }, fix);
    const snapshot = snapshotOf(history, {
      directory: sampleSnapshot({ files: { ...files, 'lib/range.js': `${range}// mine\n` } }).directory,
    });
    expect(await proposeAll({ history, snapshot })).toEqual([]);
    const stranger = sampleSnapshot({ files: { 'lib/range.js': 'exports.a = 1;\n' } });
    await expect(proposeAll({ history, snapshot: stranger })).rejects.toMatchObject({ code: 'invalid-input', message: /head/ });
  });
});

describe('files that come and go', () => {
  test('a file that the commit made is removed, and the task is a feature', async () => {
    const history = historyOf(
      {},
      { 'lib/list.js': `${list}exports.most = require('./most.js');\n`, 'lib/most.js': 'module.exports = Math.max;\n' },
    );
    const [candidate] = await proposeAll({ history });
    expect(candidate?.edits).toContainEqual({ file: 'lib/most.js', content: null });
    expect(candidate?.lineage).toMatchObject({ file: 'lib/list.js', taskType: 'feature' });
  });

  test('a file that the commit removed comes back', async () => {
    const history = historyOf({ 'lib/old.js': 'exports.a = 1;\n', 'lib/range.js': faulty }, { 'lib/old.js': null, 'lib/range.js': range });
    const [candidate] = await proposeAll({ history });
    expect(candidate?.edits).toContainEqual({ file: 'lib/old.js', content: 'exports.a = 1;\n' });
    expect(candidate?.lineage).toMatchObject({ file: 'lib/range.js', taskType: 'bug-fix' });
  });

  test('a file that the commit made and another changed stays', async () => {
    const history = historyOf({}, { 'lib/most.js': 'module.exports = Math.max;\n' }, { 'lib/most.js': 'module.exports = Math.min;\n' });
    const candidates = await proposeAll({ history });
    expect(candidates.map(({ edits }) => edits.some((edit) => 'content' in edit))).toEqual([false]);
  });

  test('a test, a tool or a built file that the commit removed stays away', async () => {
    const gone = { 'lib/a.test.js': 'x();\n', 'tools/run.js': 'y();\n', 'dist/list.js': 'z();\n' };
    const away = Object.fromEntries(Object.keys(gone).map((file) => [file, null]));
    const [candidate] = await proposeAll({ history: historyOf({ ...gone, 'lib/range.js': faulty }, { ...away, 'lib/range.js': range }) });
    expect(candidate?.edits.map(({ file }) => file)).toEqual(['lib/range.js']);
  });

  test('a file that the snapshot has but does not list as a source is left alone', async () => {
    const history = historyOf(
      { 'lib/range.js': faulty, 'lib/list.js': 'exports.a = 1;\n' },
      { 'lib/range.js': range, 'lib/list.js': list },
    );
    const [candidate] = await proposeAll({ history, snapshot: snapshotOf(history, { sourceFiles: ['lib/range.js'] }) });
    expect(candidate?.edits.map(({ file }) => file)).toEqual(['lib/range.js']);
  });

  test('a new exported name makes the task a feature, a new private one does not', async () => {
    const typeAfter = async (before: string) =>
      (await proposeAll({ history: historyOf({ 'lib/range.js': before }, { 'lib/range.js': range }) }))[0]?.lineage.taskType;
    expect(await typeAfter(range.replace('clamp, width }', 'clamp }'))).toBe('feature');
    expect(await typeAfter(range.replace("  const unused = high > low ? 'wide' : 'empty';\n", ''))).toBe('bug-fix');
  });
});

describe('which commits', () => {
  test('head, since and maxCommits choose; another seed gives another order', async () => {
    const texts = Array.from({ length: 6 }, (_, index) => `exports.a = ${index};\n`);
    const history = historyOf({ 'lib/a.js': 'exports.a = 1;\n' }, ...texts.map((text, index) => ({ [`lib/b${index}.js`]: text })));
    const snapshot = snapshotOf(history);
    const names = async (options: Options & { seed?: number }) =>
      (await proposeAll({ history, snapshot, ...options })).map(({ lineage }) => lineage.file);
    const all = await names({});
    expect([...all].sort()).toEqual(texts.map((_, index) => `lib/b${index}.js`));
    expect((await names({ maxCommits: 2 })).sort()).toEqual(['lib/b4.js', 'lib/b5.js']);
    expect((await names({ head: 'HEAD~3' })).sort()).toEqual(['lib/b0.js', 'lib/b1.js', 'lib/b2.js']);
    // The files are of 14 November, b0 of the 15th, b4 of the 19th.
    expect((await names({ since: '2023-11-19' })).sort()).toEqual(['lib/b4.js', 'lib/b5.js']);
    expect(await names({ since: '2023-11-20T23:00:00Z' })).toEqual([]);
    expect(await names({ seed: 2 })).not.toEqual(all);
  });

  test('a folder of the repository can be the snapshot', async () => {
    const inside = (changes: Record<string, string>) =>
      Object.fromEntries(Object.entries(changes).map(([file, text]) => [`packages/one/${file}`, text]));
    const history = historyOf(
      { ...inside({ ...files, 'lib/range.js': faulty }), 'lib/range.js': faulty },
      { ...inside({ 'lib/range.js': range }), 'lib/range.js': range },
    );
    const snapshot = sampleSnapshot({ directory: join(history.directory, 'packages/one') });
    const [candidate] = await proposeAll({ history, snapshot, folder: 'packages/one/' });
    expect(agentText(candidate!, 'lib/range.js', range)).toBe(faulty);
    await expect(proposeAll({ history, snapshot, folder: 'packages/two' })).rejects.toMatchObject({ code: 'invalid-input' });
  });

  test('refuses options of the wrong form', () => {
    for (const options of [{ head: '--output=x' }, { head: 'HEAD:lib' }, { since: 'yesterday' }, { maxFiles: 0 }, { folder: '../up' }])
      expect(() => createCommitGenerator({ repository: '/x', ...options })).toThrowError(
        expect.objectContaining({ code: 'invalid-config' }),
      );
  });
});

test('keeps the contract of a generator', async () => {
  const history = historyOf(
    { 'lib/range.js': faulty },
    { 'lib/range.js': range },
    { 'lib/list.js': `${list}exports.one = 1;\n` },
    { 'lib/more.js': 'exports.more = 1;\n' },
  );
  const cases = generatorConformance({
    generator: createCommitGenerator({ repository: history.directory }),
    snapshot: snapshotOf(history),
  });
  expect(cases.length).toBeGreaterThan(5);
  for (const { run } of cases) await run();
});
