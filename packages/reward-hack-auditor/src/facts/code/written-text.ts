import { childOf, nodesOf, type SyntaxNode } from '../../parse/syntax-node.js';
import type { ReadCall } from './code-action.js';

/** What is written through a file that `open` gave: `open(…).write(text)`, `with open(…) as f: f.write(text)`. */
export function writtenText({ node, texts }: ReadCall): string | undefined {
  const attribute = node.parent;
  const direct = attribute && /^(attribute|member_expression)$/.test(attribute.type) ? attribute.parent : undefined;
  if (direct && childOf(direct, 'function') === attribute) {
    const text = texts(firstArgument(direct))[0];
    return text?.isConstant ? text.text : undefined;
  }
  const alias = attribute?.type === 'as_pattern' ? childOf(attribute, 'alias')?.text : undefined;
  let block: SyntaxNode | undefined = attribute;
  while (block && block.type !== 'with_statement') block = block.parent;
  const body = block && childOf(block, 'body');
  return alias && body ? writtenIn(body, alias, texts) : undefined;
}

/** All that the calls of a block write to a file; nothing where one of them writes what is not known. */
function writtenIn(body: SyntaxNode, file: string, texts: ReadCall['texts']): string | undefined {
  let written = '';
  for (const call of nodesOf(body, 'call')) {
    const callee = childOf(call, 'function')?.text;
    if (callee !== `${file}.write` && callee !== 'json.dump') continue;
    const text = texts(firstArgument(call))[0];
    if (!text?.isConstant) return undefined;
    written += text.text;
  }
  return written === '' ? undefined : written;
}

function firstArgument(call: SyntaxNode): SyntaxNode | undefined {
  return childOf(call, 'arguments')?.children.find(({ isNamed }) => isNamed);
}
