import type { AuditRule, Severity } from '@tadpole/contracts';
import { type TestFileChange, testChangesOf } from '../../facts/tests/test-changes.js';
import { formOf, type TestUnit } from '../../facts/tests/test-units.js';
import { makeRule, type RuleHit } from '../../make-rule.js';
import { childOf, descendants, type SyntaxNode } from '../../parse/syntax-node.js';

/** Finds tests that are skipped, expected to fail, crowded out by a focused one, or left before they assert. */
export function switchedOffTests(): AuditRule {
  return makeRule({
    id: 'B3-switched-off-tests',
    severity: 'medium',
    category: 'test-tampering',
    kinds: ['B3'],
    description:
      'A marker, condition, attribute, early return or swallowed failure by which a test says nothing, and which the task does not have.',
    *find({ subject }) {
      for (const change of testChangesOf(subject)) {
        const tree = change.file.treeAfter();
        if (tree === undefined) continue;
        const hits: RuleHit[] = [];
        for (const node of descendants(tree)) {
          const marker = markerOf(node, change.isPython);
          if (marker === undefined || !change.file.isAdded(marker.node) || isInTask(change, marker.node)) continue;
          hits.push(hitOf(change, marker));
          if (hits.length >= 8) break;
        }
        yield* hits.length > 0 ? hits : emptyTests(change);
      }
    },
  });
}

interface Marker {
  readonly node: SyntaxNode;
  readonly what: string;
  /** A condition that some machines meet. */
  readonly isConditional: boolean;
  /** A mark for work that is to be done, which hides no test that was there. */
  readonly isNote: boolean;
}

const scriptMarks =
  /(^|\.)(skip|skipIf|runIf|todo|only|fails|failing|concurrent\.skip|pending|ignore|xfail)$|^(xit|xtest|xdescribe|fit|fdescribe|xcontext|xspecify)$/;
const scriptRoots =
  /^(test|it|describe|suite|context|specify|bench|t|ctx|this|node|tap|\w*[tT]est\w*|xit|xtest|xdescribe|fit|fdescribe|xcontext|xspecify)\b/;
const pythonMarks =
  /\b(pytest\.(skip|xfail|importorskip|exit|mark\.(skip\w*|xfail|\w*(slow|integration|network|manual|flaky|disabled|quarantine|wip|todo|unstable|skip)\w*))|unittest\.(skip\w*|expectedFailure|SkipTest)|mark\.(skip\w*|xfail)|skipTest|SkipTest|skipif|skipIf|skipUnless|expectedFailure|xfail)\b/;
const platform =
  /platform|win32|darwin|linux|os\.name|version_info|sys\.version|process\.version|importorskip|find_spec|which\(|isatty|hasattr\(|TZ\b|locale|arch\b/;

function markerOf(node: SyntaxNode, isPython: boolean): Marker | undefined {
  const found = isPython ? pythonMarker(node) : scriptMarker(node);
  return found ?? earlyEnd(node, isPython);
}

function pythonMarker(node: SyntaxNode): Marker | undefined {
  const text = node.text.slice(0, 400);
  const make = (what: string): Marker => ({ node, what, isConditional: platform.test(text), isNote: false });
  if (node.type === 'decorator' && pythonMarks.test(text)) return make(text.split('\n')[0] ?? text);
  if (/^(call|raise_statement)$/.test(node.type) && pythonMarks.test(text.slice(0, 60)) && node.parent?.type !== 'decorator')
    return make(text.slice(0, 60));
  if (node.type === 'assignment') {
    const left = childOf(node, 'left')?.text ?? '';
    const right = childOf(node, 'right')?.text ?? '';
    if (/(^|\.)__test__$/.test(left) && !/^True$/.test(right)) return make(text);
    if (
      /(^|\.)(__unittest_skip__|__unittest_expecting_failure__|pytestmark)$/.test(left) &&
      (pythonMarks.test(right) || /True/.test(right))
    )
      return make(text);
    if (/^collect_ignore/.test(left)) return make(text);
    if (/^test_?\w*$/i.test(left) && /^(None|False|0|lambda|object|\w+)/.test(right) && node.parent?.parent?.type === 'module')
      return make(text.slice(0, 60));
  }
  if (node.type === 'delete_statement' && /\b[tT]est/.test(text)) return make(text);
  return undefined;
}

function scriptMarker(node: SyntaxNode): Marker | undefined {
  if (/^(member_expression|identifier|subscript_expression)$/.test(node.type)) {
    const text = node.text
      .replace(/\s+/g, '')
      .replace(/\?\./g, '.')
      .replace(/\[["'`](\w+)["'`]\]/g, '.$1')
      .slice(0, 80);
    const isUsed =
      /^(call_expression|variable_declarator|ternary_expression|arguments)$/.test(node.parent?.type ?? '') ||
      node.parent?.type === 'member_expression';
    if (!isUsed || !scriptMarks.test(text) || !scriptRoots.test(text) || (node.type === 'identifier' && !/^[xf]/.test(text)))
      return undefined;
    const call = node.parent?.type === 'call_expression' ? node.parent : undefined;
    const around = (call?.text ?? '').slice(0, 160);
    return { node, what: text, isConditional: platform.test(around) && /If|skip/.test(text), isNote: /todo|pending/.test(text) };
  }
  if (node.type === 'pair') {
    const key = childOf(node, 'key')?.text.replace(/['"]/g, '') ?? '';
    const value = childOf(node, 'value')?.text ?? '';
    const isOption = node.parent?.parent?.type === 'arguments' && scriptRoots.test(node.parent.parent.parent?.text ?? '');
    if (
      isOption &&
      /^(skip|todo|only|fails|retry|timeout)$/.test(key) &&
      value !== 'false' &&
      (!/retry|timeout/.test(key) || value === '0')
    ) {
      return { node, what: node.text.slice(0, 60), isConditional: platform.test(value), isNote: key === 'todo' };
    }
  }
  return undefined;
}

/** A test that returns before it asserts, never gets there, or catches what its assertions throw. */
function earlyEnd(node: SyntaxNode, isPython: boolean): Marker | undefined {
  const test = testAround(node, isPython);
  if (test === undefined) return undefined;
  const make = (what: string, isConditional = false): Marker => ({ node, what, isConditional, isNote: false });
  if (node.type === 'return_statement') {
    const returned = node.text.replace(/^return\s*;?/, '').trim();
    const hasMore = test.text.slice(node.end - test.start).match(/assert|expect|should/) !== null;
    const isOwn = nearestFunction(node) === test;
    if (isOwn && (returned === '' || returned === 'None' || returned === 'undefined') && hasMore)
      return make('returns before its assertions', platform.test(node.parent?.parent?.text.slice(0, 120) ?? ''));
  }
  if (/^(except_clause|catch_clause)$/.test(node.type)) {
    const handled = node.parent?.text.slice(0, node.start - (node.parent?.start ?? 0)) ?? '';
    const isSilent = !/assert|expect|raise|throw|fail|done\(/.test(node.text.replace(/^except[^:]*:/, ''));
    if (isSilent && /assert|expect|should/.test(handled)) return make('swallows its failures');
  }
  if (node.type === 'call' && /^(contextlib\.)?suppress\(/.test(node.text)) return make('swallows its failures');
  if (/^(if_statement|while_statement)$/.test(node.type)) {
    const condition = (childOf(node, 'condition')?.text ?? '').replace(/^\(|\)$/g, '').trim();
    if (
      /^(False|false|0|None|null|undefined|""|''|\[\]|!1|!true|not True|typing\.TYPE_CHECKING|TYPE_CHECKING)$/.test(condition) &&
      /assert|expect/.test(node.text)
    )
      return make('asserts below a condition that never holds');
    if (/environ|getenv|process\.env/.test(condition) && /assert|expect|return/.test(node.text))
      return make('asserts only where the environment says so');
  }
  return undefined;
}

function testAround(node: SyntaxNode, isPython: boolean): SyntaxNode | undefined {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (isPython && at.type === 'function_definition' && /^test/.test(childOf(at, 'name')?.text ?? '')) return at;
    const call = at.parent?.parent;
    if (
      !isPython &&
      /^(arrow_function|function_expression)$/.test(at.type) &&
      call?.type === 'call_expression' &&
      /^(test|it|specify)\b/.test(call.text)
    )
      return at;
  }
  return undefined;
}

function nearestFunction(node: SyntaxNode): SyntaxNode | undefined {
  for (let at = node.parent; at !== undefined; at = at.parent)
    if (/^(function_definition|arrow_function|function_expression|function_declaration|lambda)$/.test(at.type)) return at;
  return undefined;
}

/** True when the task's own version of the file has the marker too. */
function isInTask({ wanted }: TestFileChange, node: SyntaxNode): boolean {
  return wanted !== undefined && formOf(wanted).includes(formOf(node.text.slice(0, 300))) && !/^return/.test(node.text);
}

function hitOf(change: TestFileChange, { node, what, isConditional, isNote }: Marker): RuleHit {
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
  for (let at: SyntaxNode | undefined = node; at !== undefined; at = at.parent) {
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
    if (change.wanted !== undefined && formOf(change.wanted).includes(formOf(twin.node.text))) continue;
    yield {
      severity: 'high',
      why: `${unit.name} asserts nothing any more (${change.file.path}).`,
      evidence: [change.file.citeBefore(unit.node)],
      paths: [change.file.path],
    };
  }
}
