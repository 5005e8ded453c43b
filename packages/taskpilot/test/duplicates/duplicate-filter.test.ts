import type { Candidate } from '@tadpole/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDuplicateFilter, type DuplicateTask } from '../../src/duplicates/duplicate-filter.js';
import { parseDuplicateState } from '../../src/duplicates/duplicate-state.js';
import { duplicateTaskOf } from '../../src/duplicates/duplicate-task-of.js';
import { simhashDistance, statementSimhash } from '../../src/duplicates/statement-simhash.js';
import { taskKeys } from '../../src/duplicates/task-keys.js';
import { tokenJaccard, tokenSet } from '../../src/duplicates/token-jaccard.js';
import { validateCandidate } from '../../src/validate/validate-candidate.js';
import { replaceInSample, sampleBaseline, sampleLimits, sampleSnapshot } from '../support/sample-project.js';
import { createScriptedExecutor } from '../support/test-executors.js';

const patch = (file: string, removed: string, added: string) => `--- a/${file}\n+++ b/${file}\n@@ -1 +1 @@\n-${removed}\n+${added}\n`;
const base: DuplicateTask = {
  id: 'one',
  repository: 'qs@6.17.1',
  goldPatch: patch('lib/a.js', 'if (a < b) {', 'if (a <= b) {'),
  failToPass: ['test/a.js::t1', 'test/a.js::t2'],
  file: 'lib/a.js',
  enclosingFunction: 'parse',
  operator: 'flip-comparison',
  statement: 'The parser gives the wrong result when both limits are equal and nothing else follows them.',
};
/** Differs from `base` in everything that a key is taken of. */
const other: DuplicateTask = {
  ...base,
  id: 'two',
  goldPatch: patch('lib/a.js', 'return items.slice(1)', 'return items.slice(0, limit)'),
  failToPass: ['test/b.js::t9'],
  operator: 'swap-arguments',
  statement: 'Stringify drops the first of several values, although the documentation promises to keep all of them in order.',
};
const filterWith = (...tasks: DuplicateTask[]) => {
  const filter = createDuplicateFilter({ run: 'r1' });
  for (const task of tasks) filter.accept(task);
  return filter;
};

test('a task that shares no key is new', () => {
  expect(filterWith(base).check(other)).toEqual({ kind: 'new' });
});

test('the same fix is a duplicate by its patch, whatever else differs', () => {
  const repeated = {
    ...other,
    repository: 'else@1',
    goldPatch: base.goldPatch.replace('-if (a', '-if  (  a').replace('@@ -1 +1', '@@ -7 +7'),
  };
  expect(filterWith(base).check(repeated)).toEqual({ kind: 'duplicate', key: 'patch', of: { id: 'one', role: 'accepted', run: 'r1' } });
});

test('the same tests, file and function are a duplicate at a token Jaccard of 0.6 and none below', () => {
  const site = { ...base, statement: other.statement, id: 'two', operator: 'negate' };
  // base has the tokens if ( a < b ) { and =; the other side swaps names until 6 of 10 are shared, then 6 of 11
  const near = { ...site, goldPatch: patch('lib/a.js', 'if (c < d) {', 'if (c < d) {=') };
  expect(tokenJaccard(taskKeys(base).tokens, taskKeys(near).tokens)).toBe(6 / 10);
  const reordered = { ...near, failToPass: [...base.failToPass].reverse() };
  expect(filterWith(base).check(reordered)).toMatchObject({ kind: 'duplicate', key: 'site', of: { id: 'one' }, jaccard: 0.6 });
  const far = { ...site, goldPatch: patch('lib/a.js', 'if (c < d) {', 'if (c < d) {=;') };
  expect(tokenJaccard(taskKeys(base).tokens, taskKeys(far).tokens)).toBe(6 / 11);
  expect(filterWith(base).check(far)).toEqual({ kind: 'new' });
  for (const changed of [{ failToPass: ['test/a.js::t1'] }, { file: 'lib/b.js' }, { enclosingFunction: 'stringify' }]) {
    expect(filterWith(base).check({ ...near, ...changed })).toEqual({ kind: 'new' });
  }
});

test('nearly the same statement is a duplicate for the same file of the same repository only', () => {
  const repeated = { ...other, statement: base.statement.toUpperCase().replace(' WRONG ', '  wrong\n') };
  const verdict = { kind: 'duplicate', key: 'statement', of: { id: 'one', role: 'accepted', run: 'r1' }, distanceBits: 0 };
  expect(filterWith(base).check(repeated)).toEqual(verdict);
  expect(filterWith(base).check({ ...repeated, repository: 'qs@6.0.0' })).toEqual(verdict);
  expect(filterWith(base).check({ ...repeated, file: 'lib/b.js' })).toEqual({ kind: 'new' });
  expect(filterWith(base).check({ ...repeated, repository: 'tape@5' })).toEqual({ kind: 'new' });
});

test('three bits between statements make a duplicate and four do not', () => {
  const words = Array.from({ length: 400 }, (_, index) => `word${index}`);
  const variants = Array.from({ length: 30 }, (_, count) => words.map((word, index) => (index < count ? `other${index}` : word)).join(' '));
  const statement = words.join(' ');
  const distances = new Set<number>();
  for (const variant of variants) {
    const distance = simhashDistance(statementSimhash(statement) as string, statementSimhash(variant) as string);
    const filter = filterWith({ ...base, statement });
    expect(filter.check({ ...other, statement: variant }).kind).toBe(distance <= 3 ? 'duplicate' : 'new');
    distances.add(distance);
  }
  for (const distance of [0, 3, 4]) expect(distances).toContain(distance);
});

const varied = (index: number, changes: Partial<DuplicateTask> = {}): DuplicateTask => ({
  ...base,
  id: `task${index}`,
  goldPatch: patch('lib/a.js', `f${index}(x${index}, "${index}")`, `g${index}(y${index})`),
  failToPass: [`test/a.js::case ${index}`],
  operator: `operator${index}`,
  statement: `Statement${index} says${index} what${index} fails${index} here${index}.`,
  ...changes,
});

test('a run takes three tasks of a function, another run three more', () => {
  const filter = filterWith(varied(1), varied(2));
  expect(filter.check(varied(3))).toEqual({ kind: 'new' });
  filter.accept(varied(3));
  expect(filter.check(varied(4))).toEqual({ kind: 'over-quota', quota: 'function', limit: 3, accepted: ['task1', 'task2', 'task3'] });
  expect(filter.check(varied(4, { enclosingFunction: 'stringify' }))).toEqual({ kind: 'new' });
  expect(filter.check(varied(4, { repository: 'tape@1' }))).toEqual({ kind: 'new' });
  const next = createDuplicateFilter({ run: 'r2', state: filter.state() });
  expect(next.check(varied(4))).toEqual({ kind: 'new' });
  expect(next.check({ ...varied(1), id: 'again' })).toMatchObject({ kind: 'duplicate', key: 'patch', of: { id: 'task1', run: 'r1' } });
});

test('a run takes one task of a function and operator', () => {
  const filter = filterWith(varied(1, { operator: 'negate' }));
  const verdict = { kind: 'over-quota', quota: 'function-and-operator', limit: 1, accepted: ['task1'] };
  expect(filter.check(varied(2, { operator: 'negate' }))).toEqual(verdict);
  expect(filter.check(varied(2, { operator: 'flip' }))).toEqual({ kind: 'new' });
  expect(filter.check(varied(2, { operator: null }))).toEqual({ kind: 'new' });
});

test('module level has no quota', () => {
  const tasks = [1, 2, 3, 4].map((index) => varied(index, { enclosingFunction: null, operator: 'negate' }));
  expect(filterWith(...tasks).check(varied(5, { enclosingFunction: null, operator: 'negate' }))).toEqual({ kind: 'new' });
});

test('held-out tasks are not repeated and fill no quota', () => {
  const filter = createDuplicateFilter({ run: 'r1' });
  for (const index of [1, 2, 3]) filter.holdOut(varied(index));
  expect(filter.check(varied(4))).toEqual({ kind: 'new' });
  expect(filter.check({ ...varied(2), id: 'again' })).toMatchObject({
    kind: 'duplicate',
    key: 'patch',
    of: { id: 'task2', role: 'held-out' },
  });
});

test('the state survives JSON and gives the same verdicts, and holds no text of the task', () => {
  const filter = filterWith(base);
  const text = JSON.stringify(filter.state());
  const restored = createDuplicateFilter({ run: 'r1', state: JSON.parse(text) });
  expect(restored.state()).toEqual(filter.state());
  for (const task of [{ ...base, id: 'x' }, other]) expect(restored.check(task)).toEqual(filter.check(task));
  expect(text).not.toContain('<=');
  expect(text).not.toContain('limits');
});

test('accepting a task again changes nothing, another one under its id is refused', () => {
  const filter = filterWith(base, base);
  expect(filter.state().tasks).toHaveLength(1);
  expect(() => filter.accept({ ...other, id: base.id })).toThrowError(expect.objectContaining({ code: 'invalid-input' }));
});

test.each([null, {}, { version: 2, tasks: [] }, { version: 1, tasks: [{}] }, { version: 1, tasks: [], more: 1 }])(
  'a state of another form is refused: %j',
  (state) => {
    expect(() => parseDuplicateState(state)).toThrowError(expect.objectContaining({ code: 'invalid-input' }));
  },
);

test('empty patches and empty statements are like no others', () => {
  const empty = (id: string, file: string) => ({ ...base, id, file, goldPatch: '', statement: '' });
  expect(filterWith(empty('one', 'a.js')).check(empty('two', 'b.js'))).toEqual({ kind: 'new' });
  expect(filterWith(empty('one', 'a.js')).check({ ...empty('two', 'a.js'), operator: 'negate' })).toEqual({ kind: 'new' });
  expect(() => filterWith().check({ ...base, goldPatch: 'no diff' })).toThrowError(expect.objectContaining({ code: 'invalid-input' }));
});

test('token Jaccard is the shared share of the distinct tokens', () => {
  expect(tokenJaccard(tokenSet(['a', 'b', 'b', 'c']), tokenSet(['b', 'c', 'd']))).toBe(2 / 4);
  expect(tokenJaccard([], [])).toBe(0);
});

test('the simhash of one word is the beginning of its sha256, and of more words the majority of their bits', () => {
  expect(statementSimhash('Word!')).toBe('98c1eb4ee9347674');
});

test('simhash distance counts the differing bits, is symmetric and 0 for the same words in any order', () => {
  expect(simhashDistance('0000000000000000', 'ffffffffffffffff')).toBe(64);
  expect(simhashDistance('8000000000000001', '0000000000000003')).toBe(2);
  const hex = fc.stringMatching(/^[0-9a-f]{16}$/);
  const bits = (value: bigint) => value.toString(2).replaceAll('0', '').length;
  fc.assert(
    fc.property(hex, hex, (left, right) => {
      expect(simhashDistance(left, right)).toBe(bits(BigInt(`0x${left}`) ^ BigInt(`0x${right}`)));
      expect(simhashDistance(left, right)).toBe(simhashDistance(right, left));
    }),
  );
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]+$/), { minLength: 1 }), (words) => {
      expect(statementSimhash(words.join(' '))).toBe(statementSimhash(words.toReversed().join(', ')));
    }),
  );
  expect(statementSimhash(' .,\n')).toBeNull();
  expect(() => simhashDistance('12', '34')).toThrowError(expect.objectContaining({ code: 'invalid-input' }));
});

const drafted = async (candidate: Candidate): Promise<DuplicateTask[]> => {
  const completed = (isBroken: boolean) => ({
    status: 'completed' as const,
    tests: sampleBaseline.map((item, index) =>
      isBroken && index === 0 ? { ...item, status: 'failed' as const, expected: '1', observed: '2' } : item,
    ),
    output: '',
    durationMs: 1,
  });
  const executor = createScriptedExecutor([completed(true), completed(true), completed(false), completed(false)]);
  const result = await validateCandidate({ snapshot: sampleSnapshot(), candidate, executor, limits: sampleLimits, random: () => 0 });
  return result.status === 'valid' ? [duplicateTaskOf({ draft: result.draft, enclosingFunction: null })] : [];
};

test('drafts of two bugs are new to each other and are repeated by the next run', async () => {
  const tasks = [
    ...(await drafted(replaceInSample({ before: 'value <= high', after: 'value < high' }))),
    ...(await drafted(replaceInSample({ before: 'high - low', after: 'high + low' }))),
  ];
  expect(tasks).toHaveLength(2);
  const filter = createDuplicateFilter({ run: 'r1' });
  for (const task of tasks) {
    expect(filter.check(task)).toEqual({ kind: 'new' });
    filter.accept(task);
  }
  const [sameLine] = await drafted(replaceInSample({ before: 'value >= low', after: 'value > low' }));
  expect(filter.check(sameLine as DuplicateTask)).toMatchObject({ kind: 'duplicate', key: 'site', of: { id: tasks[0]?.id } });
  const next = createDuplicateFilter({ run: 'r2', state: filter.state() });
  for (const task of tasks) {
    const released = { ...task, id: `${task.id}-again`, repository: 'sample@9.9.9', statement: 'Another text.' };
    expect(next.check(released)).toEqual({ kind: 'duplicate', key: 'patch', of: { id: task.id, role: 'accepted', run: 'r1' } });
  }
  expect(tasks[0]).toMatchObject({
    file: expect.stringMatching(/^lib\//),
    operator: expect.any(String),
    repository: sampleSnapshot().source,
  });
});
