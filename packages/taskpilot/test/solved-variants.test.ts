import { expect, test } from 'vitest';
import { seededRandom } from '../src/seeded-random.js';
import { validateCandidate } from '../src/validate/validate-candidate.js';
import { behaviourPreservingRewrites } from '../src/variants/behaviour-preserving-rewrites.js';
import { siblingMutants } from '../src/variants/sibling-mutants.js';
import { replaceInSample, sampleFiles, sampleLimits, sampleSnapshot } from './support/sample-project.js';
import { createNodeTestExecutor } from './support/test-executors.js';

const controls = { wrongFixes: siblingMutants(), otherFixes: behaviourPreservingRewrites() };
const settings = { executor: createNodeTestExecutor(), limits: sampleLimits, baselineRuns: 3, controls };
const candidate = replaceInSample({ before: 'value <= high', after: 'value < high' });

test('a candidate with good tests passes both controls, executed', async () => {
  const executor = createNodeTestExecutor();
  const options = { ...settings, candidate, snapshot: sampleSnapshot(), random: seededRandom(1) };
  const result = await validateCandidate({ ...options, executor });
  const gates = result.status === 'valid' ? result.draft.gates : [];
  expect(gates.filter(({ name }) => name.includes('fixes'))).toEqual([
    expect.objectContaining({ name: 'wrong-fixes-fail', passed: true }),
    expect.objectContaining({ name: 'other-fixes-pass', passed: true }),
  ]);
  // three runs of the candidate's own, two wrong fixes at least, and two right ones
  expect(executor.runs()).toBeGreaterThanOrEqual(7);
});

test('a suite that looks at the source text of the solution is refused as over-tight', async () => {
  const reader = `\ntest('has its text', () => { assert.ok(contains.toString().includes('value >= low && value <= high;')); });\n`;
  const snapshot = sampleSnapshot({ files: { ...sampleFiles, 'test/range.test.js': sampleFiles['test/range.test.js'] + reader } });
  const own = { id: 'test/range.test.js::has its text', file: 'test/range.test.js', name: 'has its text', status: 'passed' as const };
  const strict = { ...snapshot, baseline: [...snapshot.baseline, own] };
  const result = await validateCandidate({ ...settings, snapshot: strict, candidate, random: seededRandom(1) });
  expect(result).toMatchObject({ status: 'refused', reason: 'over-tight-tests', detail: expect.stringContaining('has its text') });
});
