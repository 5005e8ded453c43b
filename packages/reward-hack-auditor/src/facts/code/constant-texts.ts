import { childOf, namedChildren, type SyntaxNode } from '../../parse/syntax-node.js';
import { decodeEscapes } from '../shell/decode-text.js';
import { calledTexts, environmentTexts, type ReadTexts } from './called-texts.js';
import { readCallee } from './callee.js';
import { type CodeText, decodedText, joinTexts, mostTexts, openText, orUnknown, parentOf, plainText, unknownText } from './code-text.js';
import type { CodeScope } from './scope.js';

/** An expression is followed so deep. */
const deepest = 24;

/** The texts that an expression may have; none where nothing of it is known. Bytes are texts of one character a byte. */
export function constantTexts(node: SyntaxNode | undefined, scope: CodeScope, depth = 0): readonly CodeText[] {
  scope.budget.left -= 1;
  if (!node || depth > deepest || scope.budget.left < 0) return [];
  const read = (inner: SyntaxNode | undefined) => constantTexts(inner, scope, depth + 1);
  switch (node.type) {
    case 'string':
      return scope.isPython ? pythonString(node, read) : [plainText(decodeEscapes(node.text.slice(1, -1)))];
    case 'template_string':
      return joinParts(node, read, node.start + 1, node.end - 1, (text) => decodeEscapes(text));
    case 'concatenated_string':
      return joinTexts(
        namedChildren(node).map((part) => orUnknown(read(part))),
        '',
      );
    case 'parenthesized_expression':
    case 'await':
    case 'await_expression':
    case 'expression_statement':
    case 'as_expression':
    case 'non_null_expression':
      return read(namedChildren(node)[0]);
    case 'integer':
    case 'number':
      return [plainText(node.text)];
    case 'binary_operator':
    case 'binary_expression':
      return operatorTexts(node, scope, read);
    case 'conditional_expression':
    case 'ternary_expression':
      return namedChildren(node).flatMap(read).slice(0, mostTexts);
    case 'list':
    case 'tuple':
    case 'array':
    case 'set':
      return namedChildren(node).flatMap(read).slice(0, mostTexts);
    case 'subscript':
    case 'subscript_expression':
      return subscriptTexts(node, read);
    case 'attribute':
    case 'member_expression':
      return memberTexts(node, scope, read);
    case 'identifier':
      return identifierTexts(node.text, scope, read);
    case 'call':
    case 'call_expression':
    case 'new_expression':
      return calledTexts(readCallee(node, scope), scope, read);
    default:
      return [];
  }
}

function operatorTexts(node: SyntaxNode, scope: CodeScope, read: ReadTexts): readonly CodeText[] {
  const operator = childOf(node, 'operator')?.type;
  const [left, right] = [read(childOf(node, 'left')), read(childOf(node, 'right'))];
  if (left.length + right.length === 0) return [];
  if (operator === '+') return joinTexts([orUnknown(left), orUnknown(right)], '');
  if (operator === '/' && scope.isPython) return joinTexts([orUnknown(left), orUnknown(right)], '/');
  if (operator === '%' && scope.isPython) return left.map(({ text }) => ({ ...unknownText, text: text.replace(/%[-\d.]*[a-z]/gi, '*') }));
  return operator === '||' || operator === '??' ? [...left, ...right] : [];
}

function identifierTexts(name: string, scope: CodeScope, read: ReadTexts): readonly CodeText[] {
  if (name === '__file__' || name === '__filename') return [plainText(scope.file ?? '*')];
  if (name === '__dirname') return [plainText(parentOf(scope.file ?? '*'))];
  return followName(name, scope, read);
}

function followName(name: string, scope: CodeScope, read: ReadTexts): readonly CodeText[] {
  if (scope.following.has(name)) return [];
  const [values, items] = [scope.values.get(name), scope.items.get(name)];
  scope.following.add(name);
  const found = [...(values ?? []), ...(items ?? [])].slice(0, 6).flatMap(read).slice(0, mostTexts);
  scope.following.delete(name);
  return (values?.length ?? 0) > 1 ? found.map(openText) : found;
}

function pythonString(node: SyntaxNode, read: ReadTexts): readonly CodeText[] {
  const start = node.children.find(({ type }) => type === 'string_start');
  const end = node.children.find(({ type }) => type === 'string_end');
  const isRaw = /r/i.test(start?.text.replace(/['"]/g, '') ?? '');
  return joinParts(node, read, start?.end ?? node.start, end?.start ?? node.end, (text) => (isRaw ? text : decodeEscapes(text)));
}

function joinParts(node: SyntaxNode, read: ReadTexts, from: number, to: number, decode: (text: string) => string): readonly CodeText[] {
  const parts: (readonly CodeText[])[] = [];
  let at = from;
  const text = node.text;
  for (const child of node.children) {
    if (!/^(interpolation|template_substitution)$/.test(child.type)) continue;
    parts.push([plainText(decode(text.slice(at - node.start, child.start - node.start)))]);
    parts.push(orUnknown(read(namedChildren(child)[0])));
    at = child.end;
  }
  parts.push([plainText(decode(text.slice(at - node.start, to - node.start)))]);
  return joinTexts(parts, '');
}

function subscriptTexts(node: SyntaxNode, read: ReadTexts): readonly CodeText[] {
  const object = childOf(node, 'value') ?? childOf(node, 'object');
  const index = childOf(node, 'subscript') ?? childOf(node, 'index');
  if (index?.text === '::-1') return read(object).map((text) => decodedText(text, [...text.text].reverse().join('')));
  if (/^(os\.environ|process\.env)$/.test(object?.text ?? '')) return environmentTexts(index?.text.slice(1, -1) ?? '');
  const slice = index?.type === 'slice' ? /^(\d*):(\d*)$/.exec(index.text) : undefined;
  if (slice)
    return read(object).map((text) => decodedText(text, text.text.slice(Number(slice[1] || 0), slice[2] ? Number(slice[2]) : undefined)));
  const position = /^-?\d+$/.test(index?.text ?? '') ? Number(index?.text) : undefined;
  const items = read(object);
  if (position === undefined) return items.map(openText);
  return items.length < 2 ? items : items.slice(position, position === -1 ? undefined : position + 1);
}

function memberTexts(node: SyntaxNode, scope: CodeScope, read: ReadTexts): readonly CodeText[] {
  const object = childOf(node, 'object');
  const name = (childOf(node, 'attribute') ?? childOf(node, 'property'))?.text;
  if (object?.text === 'process.env') return environmentTexts(name ?? '');
  if (/^import\.meta\.(url|filename)$/.test(node.text)) return [plainText(scope.file ?? '*')];
  if (node.text === 'import.meta.dirname') return [plainText(parentOf(scope.file ?? '*'))];
  if (node.text === 'os.sep' || node.text === 'path.sep') return [plainText('/')];
  if (name === 'parent') return read(object).map((text) => ({ ...text, text: parentOf(text.text) }));
  if (name === 'url' || name === 'pathname' || name === 'href') return read(object);
  return /^(name|stem|suffix)$/.test(name ?? '') ? [unknownText] : [];
}
