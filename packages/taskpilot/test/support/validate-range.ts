import type { Candidate, Snapshot, TestExecutor } from '@tadpole/contracts';
import { type ValidationSettings, validateCandidate } from '../../src/validate/validate-candidate.js';
import { replaceInSample, sampleFiles, sampleLimits, sampleSnapshot } from './sample-project.js';
import { createNodeTestExecutor } from './test-executors.js';

const bug = replaceInSample({ before: 'value <= high', after: 'value < high' });
const framework = "const test = require('node:test');\nconst assert = require('node:assert');\n";

/** Validates a candidate for real, of the sample where none is given; names of gates that were not passed begin with `not`. */
export async function validate(
  options: Partial<ValidationSettings> & { candidate?: Candidate; snapshot?: Snapshot; executor?: TestExecutor },
) {
  const common = {
    snapshot: sampleSnapshot(),
    candidate: bug,
    executor: createNodeTestExecutor(),
    limits: sampleLimits,
    random: () => 0.5,
  };
  const result = await validateCandidate({ ...common, baselineRuns: 2, goldRuns: 0, ...options });
  const gates = result.status === 'valid' ? result.draft.gates : result.gates;
  return {
    result,
    gates: gates.map(({ name, passed }) => `${passed ? '' : 'not '}${name}`),
    gate: (name: string) => gates.find((item) => item.name === name),
  };
}

/** The sample with another range.js, and its one test in a file of its own. */
export function withRange(options: { source: string; test: string; setup?: string; imported?: string }): Snapshot {
  const { source, setup = '', imported = 'range' } = options;
  const files = {
    'lib/range.js': source,
    'lib/list.js': sampleFiles['lib/list.js'] ?? '',
    'test/range.test.js': `${framework}const { ${imported} } = require('../lib/range.js');\n${setup}test('counts', () => { ${options.test} });\n`,
    'test/list.test.js': sampleFiles['test/list.test.js'] ?? '',
  };
  const names = ['sums', 'sums nothing to zero', 'averages', 'averages nothing to zero'];
  const baseline = [
    ...names.map((name) => ({ id: `test/list.test.js::${name}`, file: 'test/list.test.js', name, status: 'passed' as const })),
    { id: 'test/range.test.js::counts', file: 'test/range.test.js', name: 'counts', status: 'passed' as const },
  ];
  return sampleSnapshot({ files, baseline });
}

/** A candidate that replaces the first `before` of such a range.js. */
export function replaceIn(text: string, before: string, after: string): Candidate {
  const start = text.indexOf(before);
  const line = text.slice(0, start).split('\n').length;
  const edits = [{ file: 'lib/range.js', start, end: start + before.length, text: after }];
  return { edits, lineage: { generator: 'test', operator: 'test-operator', file: 'lib/range.js', line } };
}
