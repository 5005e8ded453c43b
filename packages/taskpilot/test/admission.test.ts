import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { certificateSchema } from '@tadpole/contracts';
import { expect, test } from 'vitest';
import { createCertificate } from '../src/admit/create-certificate.js';
import { duplicateKey } from '../src/admit/duplicate-key.js';
import { writeAgentTree } from '../src/admit/write-agent-tree.js';
import { decisionTable } from '../src/calibrate/decision-table.js';
import { gitPatch } from '../src/edit/git-patch.js';
import { validateCandidate } from '../src/validate/validate-candidate.js';
import { replaceInSample, sampleBaseline, sampleFiles, sampleLimits, sampleSnapshot, writeProject } from './support/sample-project.js';
import { createScriptedExecutor } from './support/test-executors.js';

async function sampleDraft(snapshot = sampleSnapshot()) {
  const completed = (broken: boolean) => ({
    status: 'completed' as const,
    tests: sampleBaseline.map((item, index) =>
      broken && index === 0 ? { ...item, status: 'failed' as const, expected: '1', observed: '2' } : item,
    ),
    output: '',
    durationMs: 1,
  });
  const result = await validateCandidate({
    snapshot,
    candidate: replaceInSample({ before: 'value <= high', after: 'value < high' }),
    executor: createScriptedExecutor([completed(true), completed(true), completed(false), completed(false)]),
    limits: sampleLimits,
    random: () => 0,
  });
  if (result.status !== 'valid') throw new Error(result.detail);
  return result.draft;
}
const numbers = {
  verdict: 'in-band',
  successes: 3,
  trials: 6,
  unscored: 1,
  posteriorMean: 0.5,
  posteriorInterval: [0.2, 0.8],
  probabilityInBand: 0.6,
} as const;

test('a certificate holds every gate and what was measured, and is itself valid', async () => {
  const draft = await sampleDraft();
  const certificate = createCertificate({
    draft,
    measured: { calibration: { taskId: draft.data.id, ...numbers }, weightsVersion: 'w3', rule: decisionTable(), band: [0.3, 0.7] },
  });
  expect(certificateSchema.parse(JSON.parse(JSON.stringify(certificate)))).toEqual(certificate);
  expect(certificate.gates).toHaveLength(draft.gates.length);
  expect(certificate.calibration).toMatchObject({ weightsVersion: 'w3', successes: 3, trials: 6, unscored: 1, rule: decisionTable().name });
});

test('no certificate for a failed gate or with the calibration of another task', async () => {
  const draft = await sampleDraft();
  const failed = { ...draft, gates: [{ name: 'fails-before', passed: false, evidence: {} }] };
  expect(() => createCertificate({ draft: failed })).toThrowError(expect.objectContaining({ code: 'invalid-input' }));
  const measured = { calibration: { taskId: 'other', ...numbers }, weightsVersion: 'w', rule: decisionTable(), band: [0.3, 0.7] as const };
  expect(() => createCertificate({ draft, measured })).toThrowError(expect.objectContaining({ code: 'invalid-input' }));
});

test('the duplicate key sees the fix and its file, not where the line stands or how it is spaced', () => {
  const key = (path: string, snapshot: string, buggy: string) =>
    duplicateKey({ goldPatch: gitPatch({ files: [{ path, before: buggy, after: snapshot }] }) });
  const original = key('a.js', 'if (a < b) x();\n', 'if (a > b) x();\n');
  expect(key('a.js', '\n\n  if (a<b)  x();\n', '\n\n  if (a>b)  x();\n')).toBe(original);
  expect(key('b.js', 'if (a < b) x();\n', 'if (a > b) x();\n')).not.toBe(original);
  expect(key('a.js', 'if (a < b) x();\n', 'if (a <= b) x();\n')).not.toBe(original);
});

test("the agent's tree is the snapshot with the bug and without tests or history", async () => {
  const snapshot = sampleSnapshot({ files: { ...sampleFiles, '.git/HEAD': 'ref: refs/heads/main\n' } });
  const into = writeProject({});
  await writeAgentTree({ snapshot, draft: await sampleDraft(snapshot), into });
  const written = readdirSync(into, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(written.map(({ name }) => name).sort()).toEqual(['list.js', 'package.json', 'range.js']);
  expect(readFileSync(join(into, 'lib/range.js'), 'utf8')).toBe(sampleFiles['lib/range.js']?.replace('value <= high', 'value < high'));
  expect(readFileSync(join(into, 'lib/list.js'), 'utf8')).toBe(sampleFiles['lib/list.js']);
});

test('no tree from another snapshot than the one that was validated', async () => {
  const draft = await sampleDraft();
  const other = sampleSnapshot({ hash: 'c'.repeat(64) });
  await expect(writeAgentTree({ snapshot: other, draft, into: writeProject({}) })).rejects.toMatchObject({ code: 'invalid-input' });
});
