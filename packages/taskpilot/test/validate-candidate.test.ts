import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TadpoleError, type TestResult, type TestRun, taskDataSchema } from '@tadpole/contracts';
import { expect, test } from 'vitest';
import { applyEdits } from '../src/edit/apply-edits.js';
import { rewriteStatement } from '../src/validate/task-draft.js';
import { type ValidationSettings, validateCandidate } from '../src/validate/validate-candidate.js';
import { replaceInSample, sampleBaseline, sampleFiles, sampleLimits, sampleSnapshot } from './support/sample-project.js';
import { createNodeTestExecutor, createScriptedExecutor } from './support/test-executors.js';

const bug = replaceInSample({ before: 'value <= high', after: 'value < high', operator: 'shift-boundary' });
const target = 'test/range.test.js::holds its ends';
const symptom = { kind: 'assertion', expected: 'true', observed: 'false', message: 'Expected values to be strictly equal' } as const;

/** The baseline with some tests changed. */
function run(changes: Readonly<Record<string, Partial<TestResult>>> = {}, files?: readonly string[]): TestRun {
  const tests = sampleBaseline
    .filter((item) => files === undefined || files.includes(item.file))
    .map((item) => ({ ...item, ...changes[item.id] }));
  return { status: 'completed', tests, output: '', durationMs: 1 };
}
const failing = run({ [target]: { status: 'failed', ...symptom } });
const failed = (ids: readonly string[], extra: Partial<TestResult> = symptom) =>
  run(Object.fromEntries(ids.map((id) => [id, { status: 'failed' as const, ...extra }])));
const leaking = failed([target], { kind: 'error', message: 'return value >= low && value <= high;' });
const idAt = (index: number) => sampleBaseline[index]?.id ?? '';

async function validate(answers: readonly (TestRun | Error)[], options: Partial<ValidationSettings> & { candidate?: typeof bug } = {}) {
  const executor = createScriptedExecutor(answers);
  const snapshot = sampleSnapshot();
  const result = await validateCandidate({ snapshot, candidate: bug, executor, limits: sampleLimits, random: () => 0.5, ...options });
  executor.done();
  return { result, executor, snapshot };
}

test('makes a task of a real bug by running a real suite', async () => {
  const snapshot = sampleSnapshot();
  const executor = createNodeTestExecutor();
  const result = await validateCandidate({ snapshot, candidate: bug, executor, limits: sampleLimits, random: () => 0.5 });
  if (result.status !== 'valid') throw new Error(result.detail);
  const { draft } = result;
  expect(executor.runs()).toBe(4);
  expect(draft.data.verifier.failToPass).toEqual([target]);
  expect(draft.data.verifier.passToPass).toHaveLength(7);
  expect(draft.data.instruction).toBe('Fix lib/range.js lines 1-8. Line 5 is wrong: expected true, got false.');
  expect(draft.agentFiles).toEqual([{ path: 'lib/range.js', text: sampleFiles['lib/range.js']?.replace('value <= high', 'value < high') }]);
  expect(draft.hiddenFiles).toEqual(['test/list.test.js', 'test/range.test.js']);
  expect(draft.gates.map(({ name, passed }) => [name, passed])).toEqual([
    ['changes-sources-only', true],
    ['gold-restores-snapshot', true],
    ['tree-holds-no-answer', true],
    ['fails-before', true],
    ['passes-after', true],
    ['statement-gives-nothing-away', true],
  ]);
  expect(taskDataSchema.parse(draft.data)).toEqual(draft.data);
  expect(applyEdits(readFileSync(join(snapshot.directory, 'lib/range.js'), 'utf8'), draft.edits)).toBe(draft.agentFiles[0]?.text);
});

test('refuses a change that no real test notices, after one run', async () => {
  const executor = createNodeTestExecutor();
  const candidate = replaceInSample({ before: "high > low ? 'wide'", after: "high >= low ? 'wide'" });
  const result = await validateCandidate({ snapshot: sampleSnapshot(), candidate, executor, limits: sampleLimits, random: () => 0 });
  expect(result).toMatchObject({
    status: 'refused',
    reason: 'not-killed',
  });
  expect(result.status === 'refused' && result.gates.at(-1)).toMatchObject({ name: 'fails-before', passed: false });
  expect(executor.runs()).toBe(1);
});

test('refuses a real bug that keeps the code from loading', async () => {
  const candidate = replaceInSample({ before: 'module.exports = { contains', after: 'module.exports = { nothing' });
  const executor = createNodeTestExecutor();
  const result = await validateCandidate({ snapshot: sampleSnapshot(), candidate, executor, limits: sampleLimits, random: () => 0 });
  expect(result).toMatchObject({ status: 'refused', reason: 'crashed' });
});

test.each<[string, (TestRun | Error)[], string]>([
  ['the process crashes', [{ status: 'crashed', output: 'boom', durationMs: 1 }], 'crashed'],
  ['the process hangs', [{ status: 'timed-out', output: '', durationMs: 1 }], 'timed-out'],
  [
    'a tenth of the tests or more is missing',
    [run({ [target]: { status: 'failed', ...symptom }, [idAt(5)]: { status: 'missing' } })],
    'missing-tests',
  ],
  ['a test is skipped instead of failed', [run({ [target]: { status: 'skipped' } })], 'missing-tests'],
  ['half of the suite fails', [failed([0, 1, 2, 3].map(idAt))], 'too-many-failures'],
  ['a name does not exist', [failed([target], { kind: 'error', message: 'ReferenceError: high is not defined' })], 'wrong-reason'],
  ['a module is not found', [failed([target], { kind: 'error', message: "Error: Cannot find module './x'" })], 'wrong-reason'],
  ['the second run passes', [failing, run()], 'flaky'],
  ['the second run fails elsewhere', [failing, failed([idAt(1)])], 'flaky'],
  ['the restored tree fails', [failing, failing, failing], 'gold-fails'],
  ['the restored tree fails the second time', [failing, failing, run(), failing], 'gold-fails'],
  ['the restored tree hangs', [failing, failing, { status: 'timed-out', output: '', durationMs: 1 }], 'gold-fails'],
  [
    'no failure says the same twice',
    [failed([target], { kind: 'error', message: 'at 1' }), failed([target], { kind: 'error', message: 'at 2' }), run(), run()],
    'no-symptom',
  ],
  ['the statement would hold the fix', [leaking, leaking, run(), run()], 'leaky-statement'],
])('refuses when %s', async (_, answers, reason) => {
  const { result } = await validate(answers);
  expect(result).toMatchObject({ status: 'refused', reason });
  expect(result.status === 'refused' && result.gates.at(-1)?.passed).toBe(false);
});

test('refuses edits of hidden files and edits that change nothing without running anything', async () => {
  const hidden = replaceInSample({ file: 'test/list.test.js', before: '6', after: '7' });
  expect((await validate([], { candidate: hidden })).result).toMatchObject({ reason: 'hidden-file-edited' });
  const nothing = replaceInSample({ before: 'value <= high', after: 'value <= high' });
  expect((await validate([], { candidate: nothing })).result).toMatchObject({ reason: 'no-change' });
});

test('lets a failed boundary through: it says nothing about the candidate', async () => {
  const failure = new TadpoleError({ code: 'sandbox', message: 'no sandbox' });
  await expect(validate([failure])).rejects.toBe(failure);
});

test('executes the restored tree once where two baseline runs of the same bytes stand behind it', async () => {
  const { result } = await validate([failing, failing, run()], { baselineRuns: 2 });
  if (result.status !== 'valid') throw new Error(result.detail);
  expect(result.draft.gates.find(({ name }) => name === 'passes-after')?.evidence).toMatchObject({ executedNow: 1, baselineRuns: 2 });
  const without = await validate([failing, failing], { baselineRuns: 2, goldRuns: 0 });
  if (without.result.status !== 'valid') throw new Error(without.result.detail);
  expect(without.result.draft.gates.find(({ name }) => name === 'passes-after')?.evidence).toMatchObject({
    executedNow: 0,
    baselineRuns: 2,
  });
  await expect(validate([], { baselineRuns: 0, goldRuns: 1 })).rejects.toMatchObject({ code: 'invalid-config' });
});

test('runs only the reaching test files first and the whole suite afterwards', async () => {
  const reaching = ['test/range.test.js'];
  const { result, executor } = await validate([run({ [target]: { status: 'failed', ...symptom } }, reaching), failing, run(), run()], {
    testFilesFor: () => reaching,
  });
  expect(result.status).toBe('valid');
  expect(executor.calls.map(({ testFiles }) => testFiles)).toEqual([reaching, undefined, undefined, undefined]);
});

test('runs the whole suite once more where the selected files fail in other tests than it, and holds the two complete runs together', async () => {
  const reaching = ['test/range.test.js'];
  const part = run({ [target]: { status: 'failed', ...symptom } }, reaching);
  const elsewhere = failed([target, idAt(6)]);
  const { result, executor } = await validate([part, elsewhere, elsewhere, run(), run()], { testFilesFor: () => reaching });
  if (result.status !== 'valid') throw new Error(result.detail);
  expect(result.draft.data.verifier.failToPass).toEqual([idAt(6), target].sort());
  expect(executor.calls.slice(0, 3).map(({ testFiles }) => testFiles)).toEqual([reaching, undefined, undefined]);
  const flaky = await validate([part, elsewhere, failed([target, idAt(5)])], { testFilesFor: () => reaching });
  expect(flaky.result).toMatchObject({ reason: 'flaky' });
});

test('runs the whole suite first where most files can notice the bug, and then the files that did', async () => {
  const near = ['test/range.test.js'];
  const again = run({ [target]: { status: 'failed', ...symptom } }, near);
  const { result, executor } = await validate([failing, again, run(), run()], {
    testFilesFor: () => ['test/range.test.js', 'test/list.test.js'],
  });
  if (result.status !== 'valid') throw new Error(result.detail);
  expect(executor.calls.map(({ testFiles }) => testFiles)).toEqual([undefined, near, undefined, undefined]);
  expect(result.draft.gates.find(({ name }) => name === 'fails-before')?.evidence).toMatchObject({
    firstRunFiles: 'all',
    secondRunFiles: near,
    failToPass: [target],
  });
  expect(result.draft.data.verifier.passToPass.length).toBeGreaterThan(0);
});

test('counts no test as passing that the second run did not report', async () => {
  const kept = await validate([failing, failing, run(), run()]);
  const whole = kept.result.status === 'valid' ? kept.result.draft.data.verifier.passToPass : [];
  const lost = whole.find((id) => id.startsWith('test/range.test.js')) as string;
  const again = run({ [target]: { status: 'failed', ...symptom }, [lost]: { status: 'missing' } });
  const { result } = await validate([failing, again, run(), run()], { maxMissingShare: 0.5 });
  expect(result.status === 'valid' && result.draft.data.verifier.passToPass).toEqual(whole.filter((id) => id !== lost));
});

test('asks which tests reach the changed lines of the untouched file, and runs nothing where none does', async () => {
  const asked: unknown[] = [];
  const testFilesFor = (change: unknown) => {
    asked.push(change);
    return [];
  };
  const { result } = await validate([], { testFilesFor });
  expect(result).toMatchObject({ reason: 'not-killed', detail: 'no test reaches the changed lines' });
  expect(asked).toMatchObject([{ snapshot: { hash: 'a'.repeat(64) }, file: 'lib/range.js', startLine: 5, endLine: 5 }]);
});

test('a test that did not pass in every run is neither F2P nor P2P', async () => {
  const wobbly = idAt(6);
  const { result } = await validate([failing, failing, run({ [wobbly]: { status: 'failed' } }), run()]);
  if (result.status !== 'valid') throw new Error(result.detail);
  expect(result.draft.data.verifier.passToPass).not.toContain(wobbly);
});

test('refuses a snapshot whose tests an agent would see, or that has no baseline', async () => {
  const common = { candidate: bug, executor: createScriptedExecutor([]), limits: sampleLimits, random: () => 0 };
  await expect(validateCandidate({ ...common, snapshot: sampleSnapshot({ hiddenPaths: ['test/list.test.js'] }) })).rejects.toMatchObject({
    code: 'invalid-input',
  });
  await expect(validateCandidate({ ...common, snapshot: sampleSnapshot({ baseline: [] }) })).rejects.toMatchObject({
    code: 'invalid-input',
  });
});

test('the id follows from the content: the same again, another for another rung or another hidden test', async () => {
  const answers = [failing, failing, run(), run()];
  const idOf = async (overrides: Parameters<typeof sampleSnapshot>[0]) => {
    const snapshot = sampleSnapshot(overrides);
    const result = await validateCandidate({
      snapshot,
      candidate: bug,
      executor: createScriptedExecutor(answers),
      limits: sampleLimits,
      random: () => 0.5,
    });
    if (result.status !== 'valid') throw new Error(result.detail);
    return result.draft;
  };
  const draft = await idOf({});
  expect((await idOf({})).data.id).toBe(draft.data.id);
  expect((await idOf({ files: { ...sampleFiles, 'test/list.test.js': '// other\n' } })).data.id).not.toBe(draft.data.id);
  const harder = rewriteStatement({ draft, rung: 'file' });
  expect(harder.data.instruction).toBe('Fix lib/range.js: expected true, got false.');
  expect(harder.data.lineage).toMatchObject({ statementRung: 'file', parent: draft.data.id });
  expect(harder.data.id).not.toBe(draft.data.id);
});
