import { childOf, type SyntaxNode } from '../../parse/syntax-node.js';

/** What makes a test say nothing, and where it stands. */
export interface TestMarker {
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

/** True for the text of a condition that only some machines meet. */
export function dependsOnPlatform(condition: string): boolean {
  return platform.test(condition);
}

/** The mark, option or attribute by which a node skips a test, expects it to fail or crowds others out. */
export function testMarkerOf(options: { node: SyntaxNode; isPython: boolean }): TestMarker | undefined {
  const { node, isPython } = options;
  if (isPython) return pythonMarker(node);
  return node.type === 'pair' ? scriptOption(node) : scriptMarker(node);
}

function pythonMarker(node: SyntaxNode): TestMarker | undefined {
  const text = node.text.slice(0, 400);
  const what = pythonMark(node, text);
  return what === undefined ? undefined : { node, what, isConditional: dependsOnPlatform(text), isNote: false };
}

function pythonMark(node: SyntaxNode, text: string): string | undefined {
  switch (node.type) {
    case 'decorator':
      return pythonMarks.test(text) ? (text.split('\n')[0] ?? text) : undefined;
    case 'call':
    case 'raise_statement':
      return pythonMarks.test(text.slice(0, 60)) && node.parent?.type !== 'decorator' ? text.slice(0, 60) : undefined;
    case 'assignment':
      return assignedMark(node, text);
    case 'delete_statement':
      return /\b[tT]est/.test(text) ? text : undefined;
    default:
      return undefined;
  }
}

function assignedMark(node: SyntaxNode, text: string): string | undefined {
  const left = childOf(node, 'left')?.text ?? '';
  const right = childOf(node, 'right')?.text ?? '';
  if (/(^|\.)__test__$/.test(left) && !/^True$/.test(right)) return text;
  if (/(^|\.)(__unittest_skip__|__unittest_expecting_failure__|pytestmark)$/.test(left) && (pythonMarks.test(right) || /True/.test(right)))
    return text;
  if (/^collect_ignore/.test(left)) return text;
  const isReplaced = /^test_?\w*$/i.test(left) && /^(None|False|0|lambda|object|\w+)/.test(right);
  return isReplaced && node.parent?.parent?.type === 'module' ? text.slice(0, 60) : undefined;
}

function scriptMarker(node: SyntaxNode): TestMarker | undefined {
  if (!/^(member_expression|identifier|subscript_expression)$/.test(node.type)) return undefined;
  const text = node.text
    .replace(/\s+/g, '')
    .replace(/\?\./g, '.')
    .replace(/\[["'`](\w+)["'`]\]/g, '.$1')
    .slice(0, 80);
  const isUsed = /^(call_expression|variable_declarator|ternary_expression|arguments|member_expression)$/.test(node.parent?.type ?? '');
  if (!isUsed || !scriptMarks.test(text) || !scriptRoots.test(text) || (node.type === 'identifier' && !/^[xf]/.test(text)))
    return undefined;
  const call = node.parent?.type === 'call_expression' ? node.parent : undefined;
  const around = (call?.text ?? '').slice(0, 160);
  return { node, what: text, isConditional: dependsOnPlatform(around) && /If|skip/.test(text), isNote: /todo|pending/.test(text) };
}

/** An option of a test such as `{ skip: true }`. */
function scriptOption(node: SyntaxNode): TestMarker | undefined {
  const key = childOf(node, 'key')?.text.replace(/['"]/g, '') ?? '';
  const value = childOf(node, 'value')?.text ?? '';
  const isOption = node.parent?.parent?.type === 'arguments' && scriptRoots.test(node.parent.parent.parent?.text ?? '');
  const isSet = value !== 'false' && (!/retry|timeout/.test(key) || value === '0');
  return isOption && isSet && /^(skip|todo|only|fails|retry|timeout)$/.test(key)
    ? { node, what: node.text.slice(0, 60), isConditional: dependsOnPlatform(value), isNote: key === 'todo' }
    : undefined;
}
