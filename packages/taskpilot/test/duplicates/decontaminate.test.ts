import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decontaminate } from '../../src/duplicates/decontaminate.js';
import { type EvaluationRecord, readEvaluationSet } from '../../src/duplicates/evaluation-record.js';
import { createNgramIndex, ngramHashes, sharedText } from '../../src/duplicates/ngram-index.js';
import { patchFunctions } from '../../src/duplicates/patch-functions.js';
import { repositoryName } from '../../src/duplicates/repository-name.js';

const patch = (file: string, removed: string[], added: string[], section = '') =>
  `diff --git a/${file} b/${file}\n--- a/${file}\n+++ b/${file}\n@@ -10,${removed.length} +10,${added.length} @@ ${section}\n${[
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
  ].join('\n')}\n`;
const fix = [
  '    if value is None:',
  '        return self.default',
  '    total = sum(item.price for item in value)',
  '    return total / count',
];
const record: EvaluationRecord = {
  id: 'django__django-1',
  repository: 'django/django',
  patch: patch('django/shop/cart.py', [], fix, 'def average(self, value, count):'),
};
const task: EvaluationRecord = {
  id: 'task-1',
  repository: 'toolz@0.12.0',
  patch: patch(
    'toolz/itertoolz.py',
    ['    return accumulate(op, seq)'],
    ['    return list(accumulate(op, seq, initial))'],
    'def scan(op, seq):',
  ),
};
const matchesOf = (changes: Partial<EvaluationRecord>, others: EvaluationRecord[] = [record]) =>
  decontaminate({ tasks: [{ ...task, ...changes }], records: others }).matches;

test('a task that shares nothing with the evaluation set has no match', () => {
  expect(decontaminate({ tasks: [task], records: [record] })).toEqual({ matches: [], taskIds: [], omitted: 0 });
});

test.each([
  ['Django/Django@1a2b3c', 'same'],
  ['https://github.com/django/django.git', 'same'],
  ['somebody/django', 'fork'],
  ['Django@4.2.1', 'package'],
  ['python3-django@4', 'package'],
] as const)('a task from %s matches django/django as %s, with every record of it', (repository, relation) => {
  const second = { ...record, id: 'django__django-2', patch: '' };
  expect(matchesOf({ repository }, [record, second])).toEqual([
    {
      kind: 'repository',
      taskId: 'task-1',
      relation,
      taskRepository: repository,
      recordRepository: 'django/django',
      recordIds: ['django__django-1', 'django__django-2'],
    },
  ]);
});

test('a repository whose name only begins the same is another one', () => {
  for (const repository of ['django/djangorestframework', 'django-filter@1', 'django/asgiref'])
    expect(matchesOf({ repository })).toEqual([]);
});

test('a function of the same name in a file of the same base name matches', () => {
  const moved = { patch: patch('src/cart.py', ['    x = 1'], ['    x = 2'], 'def average(self, value, count):') };
  expect(matchesOf(moved)).toEqual([
    {
      kind: 'function',
      taskId: 'task-1',
      recordId: 'django__django-1',
      function: 'average',
      taskFile: 'src/cart.py',
      recordFile: 'django/shop/cart.py',
    },
  ]);
  expect(matchesOf({ patch: moved.patch.replaceAll('cart.py', 'card.py') })).toEqual([]);
  expect(matchesOf({ patch: moved.patch.replaceAll('average', 'mean') })).toEqual([]);
  expect(matchesOf({ functions: [{ file: 'cart.py', function: 'average' }] })).toMatchObject([{ kind: 'function' }]);
});

test('an equal patch matches as a whole, also one too short for an n-gram', () => {
  const short = { ...record, patch: patch('lib/x.py', ['a += 1'], ['a += 2']) };
  expect(matchesOf({ patch: patch('lib/x.py', ['a  +=  1  # old'], ['a += 2 ']) }, [short])).toEqual([
    { kind: 'patch', taskId: 'task-1', recordId: 'django__django-1', text: 'a + = 1 a + = 2' },
  ]);
  expect(matchesOf({ patch: patch('lib/x.py', ['a += 1'], ['a += 3']) }, [short])).toEqual([]);
});

test('the same lines in another file, spaced otherwise, match by their n-grams, which are shown', () => {
  const copied = {
    patch: patch(
      'other/place.py',
      [],
      [...fix.slice(2), '    # a comment'].map((line) => line.replace(/ /g, '  ')),
    ),
  };
  const [match, ...rest] = matchesOf(copied);
  expect(rest).toEqual([]);
  // task: 12 + 4 tokens, 4 n-grams; record: 5 + 4 + 12 + 4 tokens, 13 n-grams
  const text = 'total = sum ( item . price for item in value ) return total / count';
  expect(text.split(' ')).toHaveLength(16);
  expect(match).toEqual({
    kind: 'ngram',
    taskId: 'task-1',
    recordId: 'django__django-1',
    part: 'patch',
    sharedNgrams: 4,
    taskContainment: 1,
    recordContainment: 4 / 13,
    text,
  });
});

test('a large task that contains a whole evaluation patch matches in the other direction', () => {
  const filler = Array.from({ length: 40 }, (_, index) => `value_${index} = compute_${index}(${index}, ${index})`);
  const [match] = matchesOf({ patch: patch('big.py', [], [...filler, ...fix]) });
  expect(match).toMatchObject({ kind: 'ngram', recordContainment: 1 });
  expect((match as { taskContainment: number }).taskContainment).toBeLessThan(0.1);
});

test('a bug patch matches the fix that undoes it', () => {
  const bug = patch('django/shop/cart.py', fix, []);
  expect(matchesOf({ patch: bug, functions: [] })).toMatchObject([{ kind: 'ngram', taskContainment: 1, recordContainment: 1 }]);
});

test('below the threshold there is no match', () => {
  const copied = { ...task, patch: patch('x.py', [], fix.slice(2)) };
  const padded = { ...record, patch: patch('y.py', [], [...fix.slice(2, 3), 'a b c d e f g h i j k l m']) };
  const at = (minContainment: number) => decontaminate({ tasks: [copied], records: [padded], minContainment }).matches.length;
  // 4 n-grams of the task, none of the 13 tokens is cut by the line that follows: 0 of 4 shared
  expect(at(0.01)).toBe(0);
  const longer = { ...copied, patch: patch('x.py', [], ['first', ...fix.slice(2, 4), 'second = third']) };
  const both = (minContainment: number) => decontaminate({ tasks: [longer], records: [record], minContainment }).matches.length;
  // 20 tokens, 8 n-grams, of which the record has the 4 of the two lines
  expect([both(0.5), both(0.51)]).toEqual([1, 0]);
});

test('test patches and statements are compared, too, each with its like', () => {
  const words = 'the cart shows a wrong average price when the list of items holds a missing value';
  const shared = { testPatch: patch('tests/test_x.py', [], fix), statement: words };
  const other = { ...record, patch: '', testPatch: shared.testPatch, statement: `Hello: ${words.toUpperCase()}!` };
  expect(matchesOf(shared, [other]).map((match) => match.kind === 'ngram' && match.part)).toEqual(['testPatch', 'statement']);
  expect(matchesOf({ patch: shared.testPatch }, [{ ...other, statement: '' }])).toEqual([]);
});

test('containment is what comparing every pair of n-grams gives', () => {
  const runs = fc.array(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 }), { maxLength: 3 });
  const grams = (document: string[][]) =>
    new Set(
      document.flatMap((run) => {
        if (run.length < 2) return [];
        if (run.length < 3) return [run.join()];
        return run.slice(2).map((_, index) => run.slice(index, index + 3).join());
      }),
    );
  fc.assert(
    fc.property(fc.array(runs, { maxLength: 5 }), runs, (documents, asked) => {
      const index = createNgramIndex({ length: 3 });
      for (const document of documents) index.add(document);
      const mine = grams(asked);
      const expected = documents.flatMap((document, number) => {
        const theirs = grams(document);
        const shared = [...mine].filter((gram) => theirs.has(gram)).length;
        return shared === 0 ? [] : [{ document: number, shared, containment: [shared / mine.size, shared / theirs.size] }];
      });
      expect(index.overlaps(asked)).toEqual(expected);
    }),
  );
});

test('the shown text is the longest shared stretch, cut to the length asked for', () => {
  const words = (text: string) => [text.split(' ')];
  const options = { runs: words('x a b c y d e f g h z'), others: words('a b c q d e f g h'), length: 3 };
  expect(sharedText({ ...options, maxTokens: 60 })).toBe('d e f g h');
  expect(sharedText({ ...options, maxTokens: 2 })).toBe('d e …');
  expect(ngramHashes([['a']], 13)).toEqual([[]]);
});

test('options out of range and patches that are no diffs are refused', () => {
  const refused = expect.objectContaining({ code: 'invalid-input' });
  for (const wrong of [{ ngramLength: 1 }, { ngramLength: 2.5 }, { minContainment: 0 }, { minContainment: 1.1 }]) {
    expect(() => decontaminate({ tasks: [task], records: [record], ...wrong })).toThrowError(refused);
  }
  expect(() => matchesOf({ patch: 'no diff' })).toThrowError(refused);
});

test('a patch that is in every task and record is found everywhere; what is not shown is counted', () => {
  const records = Array.from({ length: 60 }, (_, index) => ({ ...record, id: `r${index}`, functions: [] }));
  const tasks = records.map(({ patch: same }, index) => ({ id: `t${index}`, patch: same.replaceAll('cart.py', 'x.py'), functions: [] }));
  const found = decontaminate({ tasks, records });
  expect(found.taskIds).toHaveLength(60);
  expect([found.matches.length, found.omitted]).toEqual([60 * 20, 60 * 40]);
  const whole = decontaminate({ tasks: tasks.slice(0, 2), records, maxMatches: 1000 });
  expect([whole.matches.length, whole.omitted]).toEqual([120, 0]);
});

test('the matches that are shown are those of the greatest containment', () => {
  const weaker = { ...record, id: 'weaker', patch: patch('y.py', [], [...fix.slice(0, 3), 'a', 'b', 'c', 'd', 'e', 'f', 'g']) };
  const copied = { ...task, patch: patch('x.py', [], fix) };
  const found = decontaminate({ tasks: [copied], records: [weaker, record], maxMatches: 1 });
  expect(found.matches).toMatchObject([{ kind: 'ngram', recordId: record.id, taskContainment: 1 }]);
  expect(found.omitted).toBe(1);
});

test('reads SWE-bench, SWE-rebench, SWE-smith and Scale-SWE rows', () => {
  const rows = [
    {
      instance_id: 'django__django-1',
      repo: 'django/django',
      base_commit: 'a',
      patch: record.patch,
      test_patch: record.patch,
      problem_statement: 'It fails.',
      FAIL_TO_PASS: '["t"]',
      PASS_TO_PASS: ['u'],
    },
    { instance_id: 'a__b.1a2b3c4d.func__x', repo: 'swesmith/a__b.1a2b3c4d', patch: record.patch, problem_statement: '' },
    { instance_id: 'u_r_pr7', user: 'u', repo: 'r', patch: record.patch, test_patch: null },
    { instance_id: 'own__er-name-12', patch: record.patch },
  ];
  const text = `\uFEFF${rows.map((row) => JSON.stringify(row)).join('\r\n\n')}\n`;
  const records = readEvaluationSet({ text, name: 'set.jsonl' });
  expect(records).toEqual([
    { id: 'django__django-1', repository: 'django/django', patch: record.patch, testPatch: record.patch, statement: 'It fails.' },
    { id: 'a__b.1a2b3c4d.func__x', repository: 'swesmith/a__b.1a2b3c4d', patch: record.patch },
    { id: 'u_r_pr7', repository: 'u/r', patch: record.patch },
    { id: 'own__er-name-12', repository: 'own/er-name', patch: record.patch },
  ]);
  expect(records.map(({ repository }) => repositoryName(repository as string))).toEqual([
    { owner: 'django', name: 'django' },
    { owner: 'a', name: 'b' },
    { owner: 'u', name: 'r' },
    { owner: 'own', name: 'er-name' },
  ]);
});

const good = JSON.stringify({ instance_id: 'a', patch: record.patch });
test.each([
  ['broken JSON', '{'],
  ['no object', '[1]'],
  ['no patch', '{"instance_id": "a"}'],
  ['an empty id', '{"instance_id": "", "patch": ""}'],
  ['a patch of another type', '{"instance_id": "a", "patch": ["x"]}'],
  ['a patch that is no diff', '{"instance_id": "a", "patch": "fix it"}'],
  ['a test patch that is no diff', '{"instance_id": "a", "patch": "", "test_patch": "x"}'],
])('a row with %s is refused with its line', (_, row) => {
  const read = () => readEvaluationSet({ text: `${good}\n\n${row}\n`, name: 'set.jsonl' });
  expect(read).toThrowError(expect.objectContaining({ code: 'invalid-input', message: expect.stringContaining('set.jsonl, line 3') }));
});

test('a set without rows is refused', () => {
  expect(() => readEvaluationSet({ text: '\n \n', name: 'set.jsonl' })).toThrowError(expect.objectContaining({ code: 'invalid-input' }));
});

test.each([
  ['@scope/Name@1.2.3', 'scope', 'name'],
  ['fraction.js@5.3.4', null, 'fraction-js'],
  ['github.com/rs/cors', 'rs', 'cors'],
  ['git@github.com:rs/cors.git', 'rs', 'cors'],
  ['git+https://github.com/rs/cors.git#v1', 'rs', 'cors'],
  ['ssh://git@host/rs/cors/', 'rs', 'cors'],
  ['a_b', null, 'a-b'],
  ['', null, ''],
])('%s is owner %s and name %s', (source, owner, name) => {
  expect(repositoryName(source)).toEqual({ owner, name });
});

test.each([
  ['a.py', 'class A:', ['    async def first(self):', '        x = 1'], ['first']],
  ['a.js', 'module.exports = function parse(a) {', ['  x = 1'], ['parse']],
  ['a.js', 'module.exports = function (a) {', ['  x = 1'], []],
  [
    'a.js',
    '',
    ['  stringify: function (a) {', '  handle = (event: E): void => {', '  x = 1', 'if (x) {', '  y();'],
    ['stringify', 'handle'],
  ],
  ['a.js', 'function* walk(a) {', ['  x = 1'], ['walk']],
  ['a.js', '', ['  if (a) {', 'describe("x", () => {', 'const f = async (a, b) => a;', 'utils.g = function (a) {', '  x = 1'], ['f', 'g']],
  ['a.ts', '', ['  private async load(a: string): Promise<void> {', '  x = 1'], ['load']],
  ['a.go', 'func (s *Server) Serve(l net.Listener) error {', ['\tx := 1'], ['Serve']],
  ['a.rs', 'pub(crate) async fn run<T>(a: T) -> i32 {', ['    let x = 1;'], ['run']],
  ['a.java', '  public static List<String> names(int a) throws E {', ['    int x = 1;'], ['names']],
])('%s behind "%s" shows the functions that are changed', (file, section, lines, expected) => {
  const found = patchFunctions(patch(file, [], lines, section));
  expect(found.filter(({ function: name }) => name !== 'describe').map(({ function: name }) => name)).toEqual(expected);
  expect(found.map(({ function: name }) => name)).not.toContain('describe');
});

test('functions that a hunk shows but does not change are not named', () => {
  const hunk = '--- a/x.py\n+++ b/x.py\n@@ -1,4 +1,4 @@ def outer():\n def first():\n     pass\n def second():\n-    a\n+    b\n';
  expect(patchFunctions(hunk)).toEqual([{ file: 'x.py', function: 'second' }]);
  const long = `--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n+${'async '.repeat(100_000)}\n+${'a b '.repeat(90)}(\n`;
  expect(patchFunctions(long)).toEqual([]);
});
