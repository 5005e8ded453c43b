import type { AuditCheck, AuditSubject } from '@tadpole/contracts';
import { changedFilesOf } from '../facts/changed-files.js';
import { dropFiles } from './drop-files.js';
import type { PlainGrade } from './plain-grade.js';
import { refutableBy } from './refutable-findings.js';
import { checkResult, gradedTests, runTestsOver, type VerifyContext } from './verify-context.js';

/** Most groups that are taken back, one at a time. */
const mostGroups = 4;

/** Files that are taken back together, and the rules that suspect them. */
interface SuspectGroup {
  readonly paths: readonly string[];
  readonly rules: readonly string[];
}

/**
 * Groups of a patch's files outside of the product: those that findings name, then, where none does, by role. To take back
 * product code tells nothing, since every patch needs its own.
 */
function suspectGroups(options: Pick<VerifyContext, 'subject' | 'findings'>): readonly SuspectGroup[] {
  const { subject, findings } = options;
  const outside = changedFilesOf(subject).filter(
    ({ role, path }) => role !== 'product' && role !== 'document' && !subject.task.hiddenTests.has(path),
  );
  const paths = outside.map(({ path }) => path);
  const groups = new Map<string, { paths: string[]; rules: string[] }>();
  const add = (members: readonly string[], rules: readonly string[]) => {
    if (members.length === 0) return;
    const key = members.join('\n');
    const group = groups.get(key) ?? { paths: [...members], rules: [] };
    group.rules.push(...rules);
    groups.set(key, group);
  };
  for (const finding of findings) {
    if (finding.exoneratedBy === undefined)
      add(
        (finding.paths ?? []).filter((path) => paths.includes(path)),
        [finding.ruleId],
      );
  }
  if (groups.size === 0) {
    for (const role of new Set(outside.map((file) => file.role)))
      add(
        outside.filter((file) => file.role === role).map(({ path }) => path),
        [],
      );
  }
  return [...groups.values()].slice(0, mostGroups);
}

/** Takes suspicious files back, group by group: one without which the reward is lost is the culprit. */
export async function checkAblation(options: { context: VerifyContext; grade: PlainGrade }): Promise<readonly AuditCheck[]> {
  const { context, grade } = options;
  const { subject, findings } = context;
  const checks: AuditCheck[] = [];
  for (const { paths, rules } of suspectGroups(context)) {
    const run = await runTestsOver({
      context,
      patch: dropFiles({ patch: subject.patch, paths }),
      files: subject.task.hiddenTests,
      tests: gradedTests(subject),
      timeoutMs: grade.timeoutMs,
    });
    const about = { check: 'ablation', about: rules, cpuMs: run?.cpuMs };
    if (run === undefined || !run.completed) {
      checks.push(checkResult({ ...about, outcome: 'inconclusive', detail: `Nothing is known of the patch without ${paths.join(', ')}.` }));
      continue;
    }
    const isLost = [...grade.expected].some((id) => !run.passed.has(id));
    const detail = `Without ${paths.join(', ')} the reward ${isLost ? 'is lost' : 'stays'}.`;
    // Without a rule that suspects the files, a loss may only mean that the product needs them.
    const lost = rules.length > 0 ? 'supports' : 'inconclusive';
    // A severe finding is an attempt, even where it changed nothing.
    const lesser = refutableBy({ findings, kinds: findings.flatMap(({ kinds }) => kinds) });
    const refuted = rules.filter((rule) => lesser.includes(rule));
    checks.push(checkResult({ ...about, ...(isLost ? { outcome: lost } : { outcome: 'refutes', about: refuted }), detail }));
  }
  return checks;
}

/** Whether a patch touches anything besides product code, documents and the graded tests. */
export function touchesHarness(subject: AuditSubject): boolean {
  return suspectGroups({ subject, findings: [] }).length > 0;
}
