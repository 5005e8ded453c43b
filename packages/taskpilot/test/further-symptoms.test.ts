import type { TestResult } from '@tadpole/contracts';
import { describe, expect, it } from 'vitest';
import { combineCandidates } from '../src/generator/combine-candidates.js';
import { rewriteStatement } from '../src/index.js';
import { seededRandom } from '../src/seeded-random.js';
import { writeStatement } from '../src/statement/write-statement.js';
import { furtherSymptoms } from '../src/validate/further-symptoms.js';
import { validateCandidate } from '../src/validate/validate-candidate.js';
import { replaceInSample, sampleLimits, sampleSnapshot } from './support/sample-project.js';
import { createNodeTestExecutor } from './support/test-executors.js';

const failed = (name: string, expected: string, observed: string): TestResult => ({
  ...{ id: `t.js::${name}`, file: 't.js', name, status: 'failed', kind: 'assertion', expected, observed },
});
const both = (...tests: TestResult[]) => ({ first: tests, second: tests });
const [one, two, three] = [failed('a', '1', '2'), failed('b', '3', '4'), failed('c', '5', '6')];

describe('the statement of several bugs', () => {
  it('tells a failure of each, of a test that no other bug breaks, and what fails beside them', () => {
    const partTests = [[one.id], [one.id, two.id]];
    expect(furtherSymptoms({ partTests, buggy: both(one, two, three), told: 'a' })).toEqual({
      further: [
        { testName: 'b', expected: '3', observed: '4' },
        { testName: 'c', expected: '5', observed: '6' },
      ],
    });
    expect(furtherSymptoms({ partTests: [[one.id], [one.id]], buggy: both(one), told: 'a' })).toEqual({});
    expect(furtherSymptoms({ partTests: undefined, buggy: both(one, two), told: 'a' })).toEqual({});
  });

  it('is refused where a bug is not noticed, or says nothing twice', () => {
    const partTests = [[one.id], [two.id]];
    expect(() => furtherSymptoms({ partTests, buggy: both(one), told: 'a' })).toThrow(/part 2 breaks alone/);
    const restless = { first: [one, two], second: [one, { ...two, observed: '9' }] };
    expect(() => furtherSymptoms({ partTests, buggy: restless, told: 'a' })).toThrow(/part 2 was reported/);
  });

  it('has a fixed form at every rung', () => {
    const region = { start: 1, end: 8 };
    const facts = { file: 'lib/a.js', line: 3, lineText: '  x', region, testName: 'a', expected: '1', observed: '2' };
    const further = [
      { testName: 'b', expected: '3', observed: '4' },
      { testName: 'c', error: 'TypeError: x' },
    ];
    const write = (rung: 'symptom' | 'file' | 'quoted-line') => writeStatement({ ...facts, further, rung });
    expect(write('file')).toBe('Fix lib/a.js: expected 1, got 2. Also: expected 3, got 4. Also: TypeError: x.');
    expect(write('symptom')).toBe(
      'Fix the failure of "a": expected 1, got 2. Fix the failure of "b": expected 3, got 4. Fix the failure of "c": TypeError: x.',
    );
    expect(write('quoted-line')).toBe(
      'Fix lib/a.js lines 1-8. Line 3 is wrong: expected 1, got 2. Also: expected 3, got 4. Also: TypeError: x.\n3.   x',
    );
  });

  it('is written from what the real suite prints for each part', async () => {
    const snapshot = sampleSnapshot();
    const executor = createNodeTestExecutor();
    const settings = {
      snapshot,
      executor,
      limits: sampleLimits,
      baselineRuns: 2,
      goldRuns: 0,
      random: seededRandom(1),
      rung: 'file',
    } as const;
    const parts = [
      replaceInSample({ before: 'value >= low', after: 'value > low' }),
      replaceInSample({ before: 'high - low', after: 'high + low' }),
    ];
    const drafts = await Promise.all(parts.map((candidate) => validateCandidate({ ...settings, candidate })));
    const partTests = drafts.map((result) => (result.status === 'valid' ? result.draft.data.verifier.failToPass : []));
    const [combination] = combineCandidates({ candidates: parts, snapshot, scope: 'same-file', random: seededRandom(1) });
    if (combination === undefined) throw new Error('no combination');
    const result = await validateCandidate({ ...settings, candidate: { ...combination.candidate, partTests } });
    if (result.status !== 'valid') throw new Error(result.detail);
    expect(result.draft.data.instruction).toBe('Fix lib/range.js: expected true, got false. Also: expected 3, got 7.');
    expect(rewriteStatement({ draft: result.draft, rung: 'symptom' }).data.instruction).toMatch(
      /^Fix the failure of .* Fix the failure of /,
    );
  });
});
