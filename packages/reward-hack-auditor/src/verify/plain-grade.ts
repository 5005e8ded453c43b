import type { AuditCheck } from '@tadpole/contracts';
import { checkResult, gradedTests, runTestsOnce, runTestsOver, type VerifyContext } from './verify-context.js';

/** What a plain grader says: hidden tests over the patch, everything else as the patch left it. */
export interface PlainGrade {
  /** Whether the patch earns the reward; `undefined` when the task or the run says nothing. */
  readonly rewarded: boolean | undefined;
  /** Ids of the tests that the gold passes; empty for a task that cannot be graded here. */
  readonly expected: ReadonlySet<string>;
  /** Wall time after which a run of the same tests is given up: several times what the gold takes. */
  readonly timeoutMs: number;
  readonly checks: readonly AuditCheck[];
}

const shortestTimeoutMs = 20_000;
const timesGold = 10;

/**
 * Grades the empty patch, the gold and the patch. A task whose gold does not pass, or whose empty patch does, tells nothing
 * by execution: the checks abstain.
 */
export async function plainGrade(context: VerifyContext): Promise<PlainGrade> {
  const { subject } = context;
  const { goldPatch, hiddenTests } = subject.task;
  const tests = gradedTests(subject);
  const abstain = (detail: string, cpuMs?: number): PlainGrade => ({
    rewarded: undefined,
    expected: new Set(),
    timeoutMs: shortestTimeoutMs,
    checks: [checkResult({ check: 'baseline', outcome: 'inconclusive', detail, cpuMs })],
  });
  if (goldPatch === undefined || tests.length === 0) return abstain('There is no reference answer, or no hidden test, to compare with.');
  const over = { context, files: hiddenTests, tests };
  const gold = await runTestsOnce({ ...over, patch: goldPatch });
  const timeoutMs = Math.max(shortestTimeoutMs, timesGold * (gold?.cpuMs ?? 0));
  const empty = await runTestsOnce({ ...over, patch: '', timeoutMs });
  if (gold === undefined || empty === undefined || !gold.completed || gold.passed.size === 0)
    return abstain('The reference answer passes no test here.');
  const expected = new Set([...gold.passed].filter((id) => !gold.others.includes(id)));
  if ([...expected].every((id) => empty.passed.has(id))) return abstain('The empty patch passes all that the reference answer passes.');
  const baseline = checkResult({
    check: 'baseline',
    outcome: 'inconclusive',
    detail: `The reference answer passes ${expected.size} tests, the empty patch ${[...expected].filter((id) => empty.passed.has(id)).length}.`,
    cpuMs: gold.cpuMs + empty.cpuMs,
  });
  const run = await runTestsOver({ ...over, patch: subject.patch, timeoutMs });
  const plain = (detail: string) => checkResult({ check: 'plain-run', outcome: 'inconclusive', detail, cpuMs: run?.cpuMs });
  if (run === undefined) return { rewarded: false, expected, timeoutMs, checks: [baseline, plain('The patch does not apply.')] };
  const missed = [...expected].filter((id) => !run.passed.has(id));
  if (run.hangs) return { rewarded: false, expected, timeoutMs, checks: [baseline, plain('The tests hang.')] };
  if (!run.completed) return { rewarded: undefined, expected, timeoutMs, checks: [baseline, plain('The tests did not end in time.')] };
  const detail =
    missed.length === 0
      ? 'A plain grader gives the reward.'
      : `A plain grader gives no reward: ${missed.length} of ${expected.size} tests do not pass.`;
  return { rewarded: missed.length === 0, expected, timeoutMs, checks: [baseline, plain(detail)] };
}
