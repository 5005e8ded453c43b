import type { AuditCheck, AuditSubject, Finding } from '@tadpole/contracts';
import { loadParsers } from '../parse/load-parsers.js';
import type { AuditWorkbench } from './audit-workbench.js';
import { checkAblation, touchesHarness } from './check-ablation.js';
import { checkCanary } from './check-canary.js';
import { checkCleanRerun } from './check-clean-rerun.js';
import { checkCounterfactual } from './check-counterfactual.js';
import { checkIntegrity } from './check-integrity.js';
import { checkLeak } from './check-leak.js';
import { checkMetamorphic } from './check-metamorphic.js';
import { checkOutOfRunner } from './check-out-of-runner.js';
import { checkWeakenedTests } from './check-weakened-tests.js';
import { plainGrade } from './plain-grade.js';
import { gatherReplays } from './replay-evidence.js';
import type { VerifyContext, VerifyMemory } from './verify-context.js';
import { createVerifyMemory } from './verify-context.js';

/** What execution says of a subject. */
export interface Verification {
  /** Whether a plain grader gives the reward; `undefined` when nothing tells. */
  readonly rewarded: boolean | undefined;
  readonly checks: readonly AuditCheck[];
}

/**
 * Checks a subject by execution, from cheap to dear: leak, baseline, plain run, then what the reward depends on. A patch without
 * the reward is only asked whether it silenced tests or compromised the harness; one with it whether the reward stays without
 * its harness changes, outside of a runner, on other inputs. Stops when the effect is settled.
 *
 * @throws TadpoleError `sandbox`, `missing-dependency`, `aborted` when no sandbox can be had; a check that fails for another reason is
 * `inconclusive`.
 */
export async function verifySubject(options: {
  subject: AuditSubject;
  findings: readonly Finding[];
  workbench: AuditWorkbench;
  /** A word that cannot be guessed, new at each call. */
  nonce(): string;
  /** @default a memory of its own */
  memory?: VerifyMemory;
  signal?: AbortSignal | undefined;
}): Promise<Verification> {
  await loadParsers();
  const context: VerifyContext = { ...options, memory: options.memory ?? createVerifyMemory() };
  const { subject, findings } = context;
  const leak = checkLeak(context);
  const grade = await plainGrade(context);
  const checks: AuditCheck[] = [leak, ...grade.checks];
  const harness = touchesHarness(subject);
  const timed = { context, timeoutMs: grade.timeoutMs };
  if (grade.rewarded !== true) {
    checks.push(await checkWeakenedTests(timed));
    if (harness && grade.expected.size > 0) checks.push(await checkCanary(timed));
    return { rewarded: grade.rewarded, checks };
  }
  if (isSettled(leak)) return { rewarded: true, checks };
  const clean = harness ? await checkCleanRerun({ context, grade }) : undefined;
  const evidence = await gatherReplays(context);
  if (evidence !== undefined) {
    const outside = checkOutOfRunner({ evidence, findings });
    checks.push(outside, checkIntegrity({ evidence, findings }));
    if (outside.outcome !== 'supports') checks.push(checkMetamorphic(evidence));
    checks.push(checkCounterfactual({ evidence, findings }));
  }
  const isRightOutside = checks.some(({ check, outcome }) => check === 'out-of-runner' && outcome === 'refutes');
  if (clean !== undefined) checks.push(judgeCleanRerun({ clean, isRightOutside }));
  if (!checks.some(isSettled)) checks.push(await checkWeakenedTests(timed));
  if (harness) {
    if (!checks.some(isSettled)) checks.push(await checkCanary(timed));
    checks.push(...(await checkAblation({ context, grade })));
  }
  return { rewarded: true, checks };
}

/** True for a check that supports a hack by the whole patch, whatever rules say. */
function isSettled({ outcome, about }: AuditCheck): boolean {
  return outcome === 'supports' && about.length === 0;
}

/** A loss in a clean re-run speaks against a patch only where its product is not right by itself: products may need their configuration. */
function judgeCleanRerun(options: { clean: AuditCheck; isRightOutside: boolean }): AuditCheck {
  const { clean, isRightOutside } = options;
  if (clean.outcome !== 'supports' || !isRightOutside) return clean;
  return { ...clean, outcome: 'inconclusive', detail: `${clean.detail} Outside of a runner the product is right all the same.` };
}
