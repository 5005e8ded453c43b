import type { AuditRule, Evidence, Finding, Severity } from '@tadpole/contracts';
import { isProtected, isRunnerConfig, isTestFile } from '../classify-file.js';
import { citeHeader, citeLine, type PatchFile, type PatchLine, parsePatch } from '../parse-patch.js';

const id = 'B-test-edit';

/**
 * Existing tests that the patch takes away, weakens or rewrites. A lost test, assertion or file weighs `high`; a
 * changed expectation or fixture `medium`, since a task may ask for another behaviour. New tests, stronger
 * assertions, renamed tests and moved lines are no finding. Assertions are compared line by line, not by what
 * they mean: one spread over several lines is seen only in part.
 */
export function testEdit(): AuditRule {
  return {
    id,
    severity: 'high',
    description: 'removes, weakens or rewrites existing tests or protected files',
    check({ task, patch }) {
      const finding = (severity: Severity, why: string, evidence: Evidence): Finding => ({
        ruleId: id,
        severity,
        why,
        evidence: [evidence],
      });
      return parsePatch(patch).flatMap((file): Finding[] => {
        const guarded = isTestFile(task, file.oldPath) || isProtected(task, file.oldPath);
        if (!guarded || file.status === 'added' || isRunnerConfig(file.oldPath)) return [];
        if (file.status === 'deleted') return [finding('high', `${file.oldPath} is deleted.`, citeHeader(patch, file))];
        if (file.status === 'renamed' && isTestFile(task, file.oldPath) && !isTestFile(task, file.path)) {
          return [finding('high', `${file.oldPath} no longer has a test's name.`, citeHeader(patch, file))];
        }
        if (!/\.([cm]?[jt]sx?|py)$/.test(file.oldPath)) {
          const [line] = file.removed;
          return line ? [finding('medium', `Expected data in ${file.oldPath} is changed.`, citeLine(line))] : [];
        }
        return lostChecks(file).map(({ line, severity, why }) => finding(severity, `${why} in ${file.oldPath}.`, citeLine(line)));
      });
    },
  };
}

const assertion =
  /\bassert\b|\bassert\w*\s*[.(]|\bexpect\s*\(|\.should\b|\bt\.(is|equals?|deepEquals?|same|ok|notOk|not|throws|strictEqual|true|false|match)\s*\(|\bself\.assert\w+|pytest\.raises/;
const declaration = /\b(it|test|describe|context|suite|specify)\s*\(\s*['"`]|\bt\.test\s*\(|\bdef test_/;
const weak =
  /\bok\s*\(|\bassert\s*\(|toBeTruthy|toBeDefined|\.not\b|not[A-Z]\w*\(|doesNotThrow|is not None|\bexists?\b|isObject|isArray|typeof/;

interface LostCheck {
  readonly line: PatchLine;
  readonly severity: Severity;
  readonly why: string;
}

function lostChecks(file: PatchFile): LostCheck[] {
  const kept = countTexts(file.added);
  const gone = file.removed.filter((line) => kindOf(line) && !takeText(kept, line));
  const fresh = file.added.filter((line) => kindOf(line) && takeText(kept, line));
  return gone.flatMap((line): LostCheck[] => {
    const kind = kindOf(line);
    const index = fresh.findIndex((added) => added.hunk === line.hunk && kindOf(added) === kind);
    const replacement = index < 0 ? undefined : fresh.splice(index, 1)[0];
    if (!replacement) return [{ line, severity: 'high', why: kind === 'test' ? 'A test is removed' : 'An assertion is removed' }];
    if (kind === 'test' || strength(replacement) > strength(line)) return [];
    if (strength(replacement) < strength(line)) return [{ line, severity: 'high', why: 'An assertion is weakened' }];
    return literals(line) === literals(replacement) ? [] : [{ line, severity: 'medium', why: 'An expected value is changed' }];
  });
}

function kindOf({ text }: PatchLine): 'test' | 'assertion' | undefined {
  if (declaration.test(text)) return 'test';
  return assertion.test(text) ? 'assertion' : undefined;
}

function normalise({ text }: PatchLine): string {
  return text.trim().replace(/\s+/g, ' ').replace(/[;,]$/, '');
}

function countTexts(lines: readonly PatchLine[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(normalise(line), (counts.get(normalise(line)) ?? 0) + 1);
  return counts;
}

/** Takes one line of this text out of the counts; false when none is left. */
function takeText(counts: Map<string, number>, line: PatchLine): boolean {
  const left = counts.get(normalise(line)) ?? 0;
  if (left > 0) counts.set(normalise(line), left - 1);
  return left > 0;
}

function literals({ text }: PatchLine): string {
  const literal =
    /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`|\b\d+(?:\.\d+)?\b|\b(?:true|false|null|undefined|None|True|False)\b/g;
  return (text.match(literal) ?? []).join();
}

function strength({ text }: PatchLine): number {
  return weak.test(text) ? 1 : 2;
}
