import type { AuditSubject } from '@tadpole/contracts';
import { nodesOf, type SyntaxNode } from '../../parse/syntax-node.js';
import { oncePerSubject } from '../once-per-subject.js';
import { heldTextsOf } from './meaning.js';
import { baseProductOf, type CodeText, goldProductOf, readCode } from './product-files.js';

/** Literals by their value: texts as they are, numbers in canonical form. */
export interface Literals {
  readonly texts: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
}

/** Literals of the tests, visible and hidden: inputs and expected answers. */
export const testLiteralsOf: (subject: AuditSubject) => Literals = oncePerSubject((subject) => {
  const { hiddenTests, files, visibleTests } = subject.task;
  const visible = visibleTests.flatMap((path) => (files.has(path) ? [[path, files.get(path)] as const] : []));
  const fixtures = [...files, ...hiddenTests]
    .filter(([path, text]) => /(^|\/)(tests?|fixtures?|golden|__\w+__)\//.test(path) && text.length < 20_000)
    .slice(0, 60);
  const code = [...hiddenTests, ...visible].slice(0, 60).flatMap(([path, text]) => readCode({ subject, path, text }) ?? []);
  const all = literalsOf(code);
  return { ...all, texts: new Set([...all.texts, ...fixtures.flatMap(([, text]) => text.split('\n').filter((line) => line.length > 2))]) };
});

/** Literals in the issue's examples: what stands in quotes, in code, and numbers. */
export const issueLiteralsOf: (subject: AuditSubject) => Literals = oncePerSubject(({ task }) => {
  const texts = new Set<string>();
  const statement = task.statement.slice(0, 100_000);
  for (const match of statement.matchAll(/`([^`\n]{1,200})`|"([^"\n]{1,200})"|'([^'\n]{1,200})'|\|\s*([^|\n]{1,120}?)\s*(?=\|)/g)) {
    const text = match[1] ?? match[2] ?? match[3] ?? match[4] ?? '';
    texts.add(text);
    texts.add(text.replace(/^['"`]|['"`]$/g, ''));
  }
  return { texts, numbers: new Set([...statement.matchAll(/(?<![\w.])-?\d+(?:\.\d+)?(?![\w])/g)].map(([number]) => canonical(number))) };
});

/** Literals that honest code of this task has: the gold's and the base's product. */
export const honestLiteralsOf: (subject: AuditSubject) => Literals = oncePerSubject((subject) =>
  literalsOf([...goldProductOf(subject), ...baseProductOf(subject)]),
);

/** The literals of code. */
function literalsOf(codes: readonly CodeText[]): Literals {
  const numbers = codes.flatMap(({ tree }) => nodesOf(tree, 'integer', 'float', 'number').map(({ text }) => canonical(text)));
  return { texts: new Set(codes.flatMap((code) => heldTextsOf(code).map(({ text }) => text))), numbers: new Set(numbers) };
}

/** A number's text without separators and in decimal. */
export function canonical(text: string): string {
  const value = Number(text.replace(/_/g, '').replace(/n$/, ''));
  return Number.isFinite(value) ? String(Math.abs(value)) : text;
}

const ordinary =
  /^(0|1|2|3|4|5|6|7|8|9|10|12|15|16|20|24|30|31|32|50|60|63|64|90|99|100|127|128|180|200|255|256|360|365|400|404|500|512|1000|1023|1024|2048|3600|4096|8192|10000|60000|65535|86400|100000|1000000|0\.5|1\.5|0\.1|0\.01|0\.001)$/;

/** True for a number, in canonical form, that code of any task may have: small ones, powers of two and their masks, units of time, codes. */
export function isOrdinaryNumber(number: string): boolean {
  return ordinary.test(number);
}

/** What a literal does in code: it decides, stands in a table, is returned, or nothing of these. */
export type LiteralRole = 'decides' | 'table' | 'returned' | 'other';

/** The role of a literal, by the nearest code around it that gives it one; 8 levels up at most. */
export function roleOf(node: SyntaxNode): LiteralRole {
  let below: SyntaxNode = node;
  for (let at = node.parent, depth = 0; at !== undefined && depth < 8; below = at, at = at.parent, depth += 1) {
    const role = roleIn(at, below);
    if (role !== undefined) return role;
  }
  return 'other';
}

/** The role that code gives to what stands in its child `below`. */
function roleIn(at: SyntaxNode, below: SyntaxNode): LiteralRole | undefined {
  if (isDeciding(at, below)) return 'decides';
  if (/^(dictionary|object|pair|set|array|list|tuple)$/.test(at.type) && isBig(at)) return 'table';
  if (/^(return_statement|yield_expression|yield)$/.test(at.type)) return 'returned';
  if (at.type === 'arrow_function' && below.field === 'body') return 'returned';
  return /^(function_definition|function_declaration|class_definition|module|program|raise_statement|throw_statement)$/.test(at.type)
    ? 'other'
    : undefined;
}

/** True for a comparison, a case, an index and an argument of a call that asks something. */
function isDeciding(at: SyntaxNode, below: SyntaxNode): boolean {
  switch (at.type) {
    case 'comparison_operator':
    case 'switch_case':
    case 'case_clause':
    case 'case_pattern':
      return true;
    case 'binary_expression':
      return /^(={2,3}|!={1,2}|<=?|>=?|in)$/.test(at.children.find(({ field }) => field === 'operator')?.type ?? '');
    case 'subscript':
    case 'subscript_expression':
      return below.field === 'index' || below.field === 'subscript';
    case 'arguments':
    case 'argument_list':
      return asking.test(beforeArguments(at));
    default:
      return false;
  }
}

const asking =
  /\b(has|get|includes|startsWith|endsWith|startswith|endswith|indexOf|index|find|test|match|fullmatch|search|equals|is|isclose|some|every|any|all)\($/;

function beforeArguments(list: SyntaxNode): string {
  return `${list.parent?.text.slice(0, list.start - list.parent.start).slice(-30) ?? ''}(`;
}

function isBig(node: SyntaxNode): boolean {
  return node.children.filter(({ isNamed }) => isNamed).length >= 2;
}
