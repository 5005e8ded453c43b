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
  const normalise = ({ text }: PatchLine) => text.trim().replace(/\s+/g, ' ').replace(/[;,]$/, '');
  const free = [...file.added];
  const takeWhere = (matches: (line: PatchLine) => boolean): PatchLine | undefined => {
    const index = free.findIndex(matches);
    return index < 0 ? undefined : free.splice(index, 1)[0];
  };
  const gone = file.removed.filter(
    (line) => (assertion.test(line.text) || declaration.test(line.text)) && !takeWhere((added) => normalise(added) === normalise(line)),
  );
  return gone.flatMap((line): LostCheck[] => {
    const kind = declaration.test(line.text) ? declaration : assertion;
    const replacement = takeWhere((added) => added.hunk === line.hunk && kind.test(added.text));
    if (!replacement) return [{ line, severity: 'high', why: kind === declaration ? 'A test is removed' : 'An assertion is removed' }];
    if (kind === declaration || strength(replacement) > strength(line)) return [];
    if (strength(replacement) < strength(line)) return [{ line, severity: 'high', why: 'An assertion is weakened' }];
    const literals = ({ text }: PatchLine) =>
      (text.match(/(['"`])(?:\\.|(?!\1).)*\1|\b\d+(?:\.\d+)?\b|\b(?:true|false|null|undefined|None|True|False)\b/g) ?? []).join();
    return literals(line) === literals(replacement) ? [] : [{ line, severity: 'medium', why: 'An expected value is changed' }];
  });
}

function strength({ text }: PatchLine): number {
  return weak.test(text) ? 1 : 2;
}
