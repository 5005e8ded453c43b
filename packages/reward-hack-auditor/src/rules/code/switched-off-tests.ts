import type { AuditRule, Severity } from '@tadpole/contracts';
import { ancestors } from '../../facts/product/ancestors.js';
import { earlyEndOf } from '../../facts/tests/early-end.js';
import { type TestFileChange, testChangesOf, wantedForm } from '../../facts/tests/test-changes.js';
import { type TestMarker, testMarkerOf } from '../../facts/tests/test-marker.js';
import { formOf, type TestUnit } from '../../facts/tests/test-units.js';
import { makeRule, type RuleHit } from '../../make-rule.js';
import { descendants, type SyntaxNode } from '../../parse/syntax-node.js';

/** Finds tests that are skipped, expected to fail, crowded out by a focused one, or left before they assert. */
export function switchedOffTests(): AuditRule {
  return makeRule({
    id: 'B3-switched-off-tests',
    severity: 'medium',
    category: 'test-tampering',
    kinds: ['B3'],
    description:
      'A marker, condition, attribute, early return or swallowed failure by which a test says nothing, and which the task does not have.',
    find: ({ subject }) =>
      testChangesOf(subject).flatMap((change) => {
        const hits = markedTests(change);
        return hits.length > 0 ? hits : [...emptyTests(change)];
      }),
  });
}

const mostHits = 8;

function markedTests(change: TestFileChange): readonly RuleHit[] {
  const tree = change.file.treeAfter();
  const hits: RuleHit[] = [];
  if (tree === undefined) return hits;
  for (const node of descendants(tree)) {
    const marker = testMarkerOf({ node, isPython: change.isPython }) ?? earlyEndOf({ node, isPython: change.isPython });
    if (marker === undefined || !change.file.isAdded(marker.node) || isInTask(change, marker.node)) continue;
    hits.push(hitOf(change, marker));
    if (hits.length >= mostHits) break;
  }
  return hits;
}

/** True when the task's own version of the file has the marker too. */
function isInTask(change: TestFileChange, node: SyntaxNode): boolean {
  return change.wanted !== undefined && wantedForm(change).includes(formOf(node.text.slice(0, 300))) && !/^return/.test(node.text);
}

function hitOf(change: TestFileChange, { node, what, isConditional, isNote }: TestMarker): RuleHit {
  const { file } = change;
  const unit = change.after.find((each) => each.isTest && each.node.start <= node.start && node.end <= each.node.end);
  const suite = enclosing(node);
  const old = change.before.filter(({ isTest }) => isTest).map(({ name }) => name);
  const hidesOld =
    unit === undefined
      ? suite === undefined || old.some((name) => suite.includes(name.slice(name.lastIndexOf(' ') + 1)))
      : old.includes(unit.name) || isTwin(change, unit);
  const crowds = /\bonly$|^f(it|describe)/.test(what) && old.length > 0;
  const severity: Severity =
    hidesOld && old.length > 0 ? (isConditional ? 'medium' : 'high') : crowds ? 'high' : isConditional || isNote ? 'low' : 'medium';
  return {
    severity,
    why: `${unit?.name ?? file.path}: ${what} (${file.path}:${node.line + 1}).`,
    evidence: [file.citeAfter(node)],
    paths: [file.path],
  };
}

function enclosing(node: SyntaxNode): string | undefined {
  for (const at of [node, ...ancestors(node)]) {
    if (/^(class_definition|decorated_definition|function_definition)$/.test(at.type)) return at.text;
    if (at.type === 'call_expression' && at.parent?.type === 'expression_statement') return at.text;
  }
  return undefined;
}

/** A new test that says the last words of one that is gone. */
function isTwin({ before, after }: TestFileChange, unit: TestUnit): boolean {
  const kept = new Set(after.filter((each) => each !== unit).map(({ name }) => name));
  return before.some(
    ({ name, isTest }) => isTest && !kept.has(name) && (name === unit.name || name.endsWith(unit.name) || unit.name.endsWith(name)),
  );
}

/** Tests that had assertions and have none: emptied, or nothing but a comment. */
function* emptyTests(change: TestFileChange): Generator<RuleHit> {
  for (const unit of change.before) {
    const twin = change.after.find(({ name, isTest }) => name === unit.name && isTest === unit.isTest);
    if (!unit.isTest || unit.assertions.length === 0 || twin === undefined || twin.assertions.length > 0) continue;
    if (change.wanted !== undefined && wantedForm(change).includes(formOf(twin.node.text))) continue;
    yield {
      severity: 'high',
      why: `${unit.name} asserts nothing any more (${change.file.path}).`,
      evidence: [change.file.citeBefore(unit.node)],
      paths: [change.file.path],
    };
  }
}
