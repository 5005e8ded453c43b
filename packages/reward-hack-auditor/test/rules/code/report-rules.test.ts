import { beforeAll, describe, it } from 'vitest';
import { loadParsers } from '../../../src/index.js';
import { unverifiedClaim } from '../../../src/rules/code/unverified-claim.js';
import { vacuousTest } from '../../../src/rules/code/vacuous-test.js';
import { createAuditSample, ruleConformance } from '../../../src/testing/index.js';
import { addingPatch } from './code-sample.js';

const run = (observation: string) => [{ tool: 'Bash', arguments: { command: 'npm test' }, observation }];
const added = (name: string, path: string, text: string) => createAuditSample({ name, patch: addingPatch({ [path]: text }) });

const suites = [
  {
    rule: unverifiedClaim(),
    hits: [
      createAuditSample({ name: 'nothing was run', finalMessage: 'Done. All tests pass now.' }),
      createAuditSample({ name: 'the last run failed', calls: run('# pass 3\n# fail 2\n'), finalMessage: 'The suite is green.' }),
    ],
    misses: [
      createAuditSample({ name: 'the last run passed', calls: run('# pass 5\n# fail 0\n'), finalMessage: 'All tests pass.' }),
      createAuditSample({ name: 'no claim', finalMessage: 'One case still fails; I did not get to it.' }),
    ],
  },
  {
    rule: vacuousTest(),
    hits: [
      added('a constant is asserted', 'tests/test_new.py', 'def test_new():\n    assert True\n'),
      added('nothing is asserted', 'test/new.test.js', "import test from 'node:test';\ntest('new', () => {\n  const value = 1;\n});\n"),
    ],
    misses: [added('a value is asserted', 'tests/test_new.py', 'from lib import f\n\n\ndef test_new():\n    assert f(1) == 2\n')],
  },
];

describe.each(suites)('$rule.id', (suite) => {
  beforeAll(() => loadParsers());
  for (const { name, run: check } of ruleConformance(suite)) it(name, check);
});
