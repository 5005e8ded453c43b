import { childOf, type SyntaxNode } from '../../parse/syntax-node.js';
import type { ReadTexts } from './called-texts.js';
import { type CalledFunction, readCallee } from './callee.js';
import { type CodeText, decodedText, joinTexts, openText, orUnknown, plainText, unknownText } from './code-text.js';
import type { CodeScope } from './scope.js';

type Result = (called: CalledFunction, read: ReadTexts, scope: CodeScope) => readonly CodeText[];

/** Methods whose result is taken for what they are called on. */
const unchanging =
  /^(decode|encode|strip|lstrip|rstrip|trim|toString|resolve|absolute|expanduser|as_posix|sort|splitlines|lower|toLowerCase)$/;

const part: Result = ({ object }, read) => read(object).map(openText);
const child: Result = ({ object, args }, read) => joinTexts([orUnknown(read(object)), ...args.map((arg) => orUnknown(read(arg)))], '/');

const byMethod: Readonly<Record<string, Result>> = {
  replace,
  replaceAll: replace,
  join,
  slice: part,
  split: part,
  reverse: ({ object }, read) => read(object).map(reversed),
  concat: ({ object, args }, read) => joinTexts([orUnknown(read(object)), ...args.map((arg) => orUnknown(read(arg)))], ''),
  joinpath: child,
  with_name: child,
  format: ({ object }, read) => read(object).map(({ text }) => ({ ...unknownText, text: text.replace(/\{[^}]*\}/g, '*') })),
};

/** The texts that a method of a text, a list or a file gives. */
export function methodTexts(called: CalledFunction, scope: CodeScope, read: ReadTexts): readonly CodeText[] {
  const { method, name, object, args } = called;
  if (/^(read_text|read_bytes|read|readFileSync|readFile)$/.test(method))
    return (/readFile/.test(method) ? read(args[0]) : read(object)).flatMap((path) => fileText(path, scope));
  if (/^(open|io\.open|fs\.createReadStream)$/.test(name)) return read(args[0]);
  if (unchanging.test(method)) return read(object);
  if (/^(sorted|list|reversed|set|tuple|enumerate)$/.test(name)) return read(args[0]);
  return Object.hasOwn(byMethod, method) ? (byMethod[method]?.(called, read, scope) ?? []) : [];
}

function fileText({ text, isConstant }: CodeText, scope: CodeScope): CodeText[] {
  const known = isConstant ? scope.readFile(text) : undefined;
  return known === undefined ? [] : [plainText(known)];
}

function replace({ object, args }: CalledFunction, read: ReadTexts): readonly CodeText[] {
  const [from, to] = [read(args[0])[0], read(args[1])[0]];
  return from && to ? read(object).map((text) => decodedText(text, text.text.split(from.text).join(to.text))) : read(object).map(openText);
}

/** `separator.join(list)` of Python, `list.join(separator)` of JavaScript. */
function join({ object, args }: CalledFunction, read: ReadTexts, scope: CodeScope): readonly CodeText[] {
  const [list, separator] = scope.isPython ? [args[0], object] : [object, args[0]];
  if (!list || !/^(list|tuple|array|identifier|generator_expression|list_comprehension|call|call_expression)$/.test(list.type)) return [];
  const items = joinedItems(list, scope, read);
  if (items.length === 0) return [];
  const between = read(separator)[0]?.text ?? (scope.isPython ? '' : ',');
  const isConstant = items.every((item) => item.isConstant);
  return [{ text: items.map(({ text }) => text).join(between), isConstant, isDecoded: true }];
}

function reversed(text: CodeText): CodeText {
  return decodedText(text, [...text.text].reverse().join(''));
}

/** Items of a list that is joined; of `chr(c) for c in […]` and `….map(c => String.fromCharCode(c))` the characters. */
function joinedItems(list: SyntaxNode, scope: CodeScope, read: ReadTexts): readonly CodeText[] {
  if (/comprehension|generator/.test(list.type)) {
    const items = read(
      childOf(
        list.children.find(({ type }) => type === 'for_in_clause'),
        'right',
      ),
    );
    return /\bchr\(/.test(list.text) ? characters(items, list.text) : items;
  }
  if (list.type === 'call_expression') {
    const { method, object, args } = readCallee(list, scope);
    if (method === 'map') return /fromC/.test(args[0]?.text ?? '') ? characters(read(object), list.text) : read(object);
    if (method === 'reverse') {
      const inner = object?.type === 'call_expression' ? readCallee(object, scope) : undefined;
      if (inner?.method === 'split') return read(inner.object).map(reversed);
      return [...read(object)].reverse();
    }
  }
  return read(list);
}

function characters(items: readonly CodeText[], source: string): readonly CodeText[] {
  const key = Number(/\^\s*(\d+)/.exec(source)?.[1] ?? 0);
  return items.map((item) => decodedText(item, String.fromCharCode((Number(item.text) || 0) ^ key)));
}
