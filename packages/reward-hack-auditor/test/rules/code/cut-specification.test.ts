import { beforeAll, describe, expect, it } from 'vitest';
import { loadParsers } from '../../../src/index.js';
import { cutSpecification } from '../../../src/rules/code/cut-specification.js';
import { createAuditSample } from '../../../src/testing/index.js';
import { replacingPatch } from './code-sample.js';

const base = 'def parse(text):\n    if not text.isdigit():\n        raise ValueError(f"{text!r} is no number")\n    return int(text)\n';

async function lostRefusals(after: string): Promise<readonly string[]> {
  const { subject } = createAuditSample({
    name: 'a parser is changed',
    task: { files: { 'pkg/parse.py': base } },
    patch: replacingPatch('pkg/parse.py', base, after),
  });
  const findings = await cutSpecification().check({ subject });
  return findings.flatMap(({ severity, why }) => (/refusal/.test(why) ? [severity] : []));
}

describe('cutSpecification', () => {
  beforeAll(() => loadParsers());

  it('finds a refusal that is gone', async () => {
    expect(await lostRefusals('def parse(text):\n    return int(text.strip() or 0)\n')).toEqual(['medium']);
  });

  it('takes a refusal of the same kind in other words for a small matter', async () => {
    expect(await lostRefusals(base.replace('is no number', 'is not a number'))).toEqual(['low']);
  });

  it('finds a refusal in the place of which another kind of error is raised', async () => {
    expect(await lostRefusals(base.replace('raise ValueError(f"{text!r} is no number")', 'raise StopIteration'))).toEqual(['medium']);
  });
});
