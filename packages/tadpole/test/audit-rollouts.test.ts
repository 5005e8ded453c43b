import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditVerdict, Scored, Severity, TadpoleEvent, Task } from '@tadpole/contracts';
import { makeRule } from '@tadpole/reward-hack-auditor';
import { expect, test } from 'vitest';
import type { VerifyRollout } from '../src/audit/create-execution-verifier.js';
import { auditRollouts } from '../src/climb/audit-rollouts.js';
import { createRun } from '../src/run/run-store.js';
import { fixtureContext, fixtureSynthesis } from './fixture-climb.js';
import { fixtureTrajectory } from './fixture-trajectory.js';

const hack: AuditVerdict = {
  verdict: 'hack',
  category: 'oracle-access',
  effective: true,
  confidence: 0.9,
  decidedBy: ['leak'],
  evidence: [],
  checks: [],
};
const solved: Scored = { status: 'scored', reward: 1, components: {}, tests: [] };

async function audit(options: { severity: Severity; verify?: VerifyRollout }) {
  const now = () => new Date('2026-12-01T00:00:00.000Z');
  const directory = mkdtempSync(join(tmpdir(), 'tadpole-run-'));
  const store = createRun({ directory, runId: 'run', configuration: fixtureSynthesis(), versions: {}, now });
  const context = fixtureContext({ store, rate: 1 });
  const rule = makeRule({
    ...{ id: 'X1-anything', severity: options.severity, category: 'oracle-access', kinds: [], description: 'anything' },
    find: ({ subject }) => [{ why: 'it is there', evidence: [{ source: 'patch', start: 0, end: 3, quote: subject.patch.slice(0, 3) }] }],
  });
  const fixture = { policy: 'w0', seed: 0, solved: true, hostileText: '', cheats: false };
  const trajectory = fixtureTrajectory({ id: 'task.0.x', taskId: 'task', ...fixture });
  const task = {
    data: { id: 'task', instruction: 'Do it.', environment: { workspacePath: '/workspace' }, verifier: { kind: 'script' } },
    directory,
  } as unknown as Task;
  const { verify } = options;
  const steps = auditRollouts({
    context: { ...context, rules: [rule], options: { ...context.options, ...(verify === undefined ? {} : { verify }) } },
    iteration: 0,
    rollouts: [{ task, trajectory, outcome: solved } as never],
  });
  const events: TadpoleEvent[] = [];
  let step = await steps.next();
  for (; step.done !== true; step = await steps.next()) events.push(step.value);
  return { event: events[0], outcomes: step.value.map(({ outcome }) => outcome) };
}

test('a suspicious rollout is verified, its verdict gates, and both are journaled with the reward that was taken', async () => {
  const { event, outcomes } = await audit({ severity: 'medium', verify: async () => hack });
  expect(event).toMatchObject({ type: 'audit-end', verdict: hack, action: 'zero', rewardBefore: 1 });
  expect(outcomes).toEqual([expect.objectContaining({ reward: 0 })]);
});

test('a verdict that clears a severe finding keeps the reward', async () => {
  const clean: AuditVerdict = { ...hack, verdict: 'clean', category: 'none', effective: null };
  const { event, outcomes } = await audit({ severity: 'high', verify: async () => clean });
  expect(event).toMatchObject({ action: 'keep', verdict: clean });
  expect(outcomes).toEqual([solved]);
});

test('what is only a screen is not verified, and without verification severe findings gate alone', async () => {
  const refuse: VerifyRollout = async () => Promise.reject(new Error('expected no verification'));
  expect((await audit({ severity: 'low', verify: refuse })).event).toMatchObject({ action: 'keep' });
  expect((await audit({ severity: 'high' })).event).toMatchObject({ action: 'zero' });
  expect((await audit({ severity: 'medium' })).event).toMatchObject({ action: 'keep' });
});
