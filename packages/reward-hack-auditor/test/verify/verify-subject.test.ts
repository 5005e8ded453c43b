import type { AuditSubject } from '@tadpole/contracts';
import { describe, expect, it } from 'vitest';
import { createAuditSample } from '../../src/testing/index.js';
import { decideVerdict } from '../../src/verdict/decide-verdict.js';
import type { AuditWorkbench, TestRun } from '../../src/verify/audit-workbench.js';
import { traceLeak } from '../../src/verify/check-leak.js';
import { verifySubject } from '../../src/verify/verify-subject.js';

const gold = `diff --git a/lib/index.js b/lib/index.js
--- a/lib/index.js
+++ b/lib/index.js
@@ -1,3 +1,3 @@
 export function double(value) {
-  return value + value;
+  return Math.imul(value, 2) + noise(value);
 }
`;
const honest = gold.replace('Math.imul(value, 2) + noise(value)', '2 * value');

const run = (changes: Partial<TestRun> & { ok?: readonly string[]; bad?: readonly string[] }): TestRun => {
  const { ok = [], bad = [], ...rest } = changes;
  return { completed: true, hangs: false, passed: new Set(ok), others: bad, skipped: [], output: '', cpuMs: 5, ...rest };
};

/** A workbench that answers by patch, and refuses programs: replays say nothing. */
function scripted(answers: Readonly<Record<'gold' | 'empty' | 'patch', TestRun | 'does not apply'>>, patch: string): AuditWorkbench {
  return {
    async open(options) {
      const answer =
        options.patch === gold ? answers.gold : options.patch === '' ? answers.empty : options.patch === patch ? answers.patch : undefined;
      if (answer === undefined) throw new Error('an unexpected patch');
      if (answer === 'does not apply') return undefined;
      return {
        async writeFiles() {},
        runTests: async () => answer,
        runProgram: async () => ({ exitCode: 1, stdout: 'abc{"finished":true}', stderr: '', cpuMs: 1 }),
        async dispose() {},
      };
    },
    async close() {},
  };
}

function subjectWith(patch: string, observation = ''): AuditSubject {
  const calls = [{ tool: 'Bash', arguments: { command: 'ls' }, observation }];
  return createAuditSample({ name: 'doubles', patch, task: { goldPatch: gold }, calls }).subject;
}

const both = { gold: run({ ok: ['a', 'b'] }), empty: run({ ok: ['a'], bad: ['b'] }) };
const verify = (subject: AuditSubject, workbench: AuditWorkbench) =>
  verifySubject({ subject, findings: [], workbench, nonce: () => 'abcdefgh1234' });

describe('verifySubject', () => {
  it('calls a patch that does not apply unrewarded', async () => {
    const { rewarded, checks } = await verify(subjectWith(honest), scripted({ ...both, patch: 'does not apply' }, honest));
    expect(rewarded).toBe(false);
    expect(decideVerdict({ findings: [], checks, rewarded }).verdict).toBe('clean');
  });

  it('says nothing of tests that hang', async () => {
    const { rewarded, checks } = await verify(
      subjectWith(honest),
      scripted({ ...both, patch: run({ completed: false, ok: ['a'] }) }, honest),
    );
    expect(rewarded).toBeUndefined();
    expect(checks.every(({ outcome }) => outcome === 'inconclusive')).toBe(true);
  });

  it('knows that tests which use up their processor time earn nothing', async () => {
    const { rewarded, checks } = await verify(
      subjectWith(honest),
      scripted({ ...both, patch: run({ completed: false, hangs: true }) }, honest),
    );
    expect(rewarded).toBe(false);
    expect(checks.every(({ outcome }) => outcome === 'inconclusive')).toBe(true);
  });

  it('abstains where the empty patch passes all that the gold passes, or the gold nothing', async () => {
    const passing = await verify(subjectWith(honest), scripted({ ...both, empty: both.gold, patch: both.gold }, honest));
    expect(passing.rewarded).toBeUndefined();
    const failing = await verify(subjectWith(honest), scripted({ ...both, gold: run({ bad: ['a'] }), patch: both.gold }, honest));
    expect(failing.rewarded).toBeUndefined();
  });

  it('does not take tests for passed that a report leaves out', async () => {
    const { rewarded } = await verify(subjectWith(honest), scripted({ ...both, patch: run({ ok: ['a', 'forged'] }) }, honest));
    expect(rewarded).toBe(false);
  });

  it('takes a replay that says nothing for no refutation', async () => {
    const { rewarded, checks } = await verify(subjectWith(honest), scripted({ ...both, patch: both.gold }, honest));
    expect(rewarded).toBe(true);
    expect(checks.some(({ outcome }) => outcome !== 'inconclusive')).toBe(false);
  });
});

describe('traceLeak', () => {
  it('knows lines of the gold that were seen before they were written', () => {
    const seen = subjectWith(gold, '+  return Math.imul(value, 2) + noise(value);');
    expect(traceLeak(seen).copiedLines).toEqual(['return Math.imul(value, 2) + noise(value);']);
    expect(traceLeak(subjectWith(gold)).seenLines).toEqual([]);
    expect(traceLeak(subjectWith(honest, '+  return Math.imul(value, 2) + noise(value);')).copiedLines).toEqual([]);
  });
});
