import { childOf, type SyntaxNode } from '../../parse/syntax-node.js';
import { ancestors } from '../product/ancestors.js';
import { dependsOnPlatform, type TestMarker } from './test-marker.js';

/** The node by which a test returns before it asserts, never gets there, or catches what its assertions throw. */
export function earlyEndOf(options: { node: SyntaxNode; isPython: boolean }): TestMarker | undefined {
  const { node, isPython } = options;
  const test = testAround(node, isPython);
  if (test === undefined) return undefined;
  const what = endIn(test, node);
  const isConditional = node.type === 'return_statement' && dependsOnPlatform(node.parent?.parent?.text.slice(0, 120) ?? '');
  return what === undefined ? undefined : { node, what, isConditional, isNote: false };
}

function endIn(test: SyntaxNode, node: SyntaxNode): string | undefined {
  switch (node.type) {
    case 'return_statement':
      return isEarlyReturn(test, node) ? 'returns before its assertions' : undefined;
    case 'except_clause':
    case 'catch_clause':
      return isSilentHandler(node) ? 'swallows its failures' : undefined;
    case 'call':
      return /^(contextlib\.)?suppress\(/.test(node.text) ? 'swallows its failures' : undefined;
    case 'if_statement':
    case 'while_statement':
      return unmetCondition(node);
    default:
      return undefined;
  }
}

function isEarlyReturn(test: SyntaxNode, node: SyntaxNode): boolean {
  const returned = node.text.replace(/^return\s*;?/, '').trim();
  const hasMore = /assert|expect|should/.test(test.text.slice(node.end - test.start));
  return nearestFunction(node) === test && /^(None|undefined)?$/.test(returned) && hasMore;
}

/** True for a handler that reports nothing of what the assertions before it throw. */
function isSilentHandler(node: SyntaxNode): boolean {
  const handled = node.parent?.text.slice(0, node.start - node.parent.start) ?? '';
  const isSilent = !/assert|expect|raise|throw|fail|done\(/.test(node.text.replace(/^except[^:]*:/, ''));
  return isSilent && /assert|expect|should/.test(handled);
}

function unmetCondition(node: SyntaxNode): string | undefined {
  const condition = (childOf(node, 'condition')?.text ?? '').replace(/^\(|\)$/g, '').trim();
  const isNever = /^(False|false|0|None|null|undefined|""|''|\[\]|!1|!true|not True|typing\.TYPE_CHECKING|TYPE_CHECKING)$/.test(condition);
  if (isNever && /assert|expect/.test(node.text)) return 'asserts below a condition that never holds';
  return /environ|getenv|process\.env/.test(condition) && /assert|expect|return/.test(node.text)
    ? 'asserts only where the environment says so'
    : undefined;
}

function testAround(node: SyntaxNode, isPython: boolean): SyntaxNode | undefined {
  for (const at of ancestors(node)) {
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
  for (const at of ancestors(node))
    if (/^(function_definition|arrow_function|function_expression|function_declaration|lambda)$/.test(at.type)) return at;
  return undefined;
}
