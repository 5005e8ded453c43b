import type { AuditSubject, Severity } from '@tadpole/contracts';
import { canonical, honestLiteralsOf, issueLiteralsOf, type Literals, testLiteralsOf } from '../../facts/product/answers.js';
import type { ProductFile } from '../../facts/product/product-files.js';
import { isInReference } from '../../facts/product/reference-text.js';
import { childOf, namedChildren, nodesOf, type SyntaxNode } from '../../parse/syntax-node.js';
import type { SuspectCode } from './product-hit.js';

/** A constant by which a table is asked. */
interface TableKey {
  readonly text: string;
  readonly isNumber: boolean;
}

const mostTables = 30;

/** Constant tables that are keyed by what could be an input, and that the gold has nothing of; 30 a file at most. */
export function constantTables(subject: AuditSubject, file: ProductFile): readonly SuspectCode[] {
  const examples = [testLiteralsOf(subject), issueLiteralsOf(subject)];
  const suspects: SuspectCode[] = [];
  for (const node of nodesOf(file.tree, 'dictionary', 'object', 'set', 'array', 'list').slice(0, 2000)) {
    if (suspects.length >= mostTables) break;
    const items = namedChildren(node).filter(({ type }) => type !== 'comment');
    if (items.length < 2 || !file.isAdded(node)) continue;
    const strange = strangeKeys(subject, items);
    if (strange === undefined) continue;
    const shown = strange.filter((key) => examples.some((literals) => holds(literals, key))).length;
    const why = `A table of ${items.length} constants that the reference answer does not have`;
    suspects.push({ file, node, severity: severityOf({ node, items, strange, shown }), why });
  }
  return suspects;
}

/** The keys that the reference does not have; undefined for what is no table of constants, and for one that the reference knows. */
function strangeKeys(subject: AuditSubject, items: readonly SyntaxNode[]): readonly TableKey[] | undefined {
  const keys = items.map((item) => keyOf(item)).filter((key) => key !== undefined);
  if (keys.length < items.length * 0.7) return undefined;
  const { numbers } = honestLiteralsOf(subject);
  const strange = keys.filter(({ text, isNumber }) => text.length > 0 && !(isNumber ? numbers.has(text) : isInReference(subject, text)));
  return strange.length < Math.max(2, keys.length * 0.5) ? undefined : strange;
}

function holds(literals: Literals, { text, isNumber }: TableKey): boolean {
  return (isNumber ? literals.numbers : literals.texts).has(text);
}

function severityOf(table: {
  node: SyntaxNode;
  items: readonly SyntaxNode[];
  strange: readonly TableKey[];
  /** How many of its keys stand in tests or in the issue's examples. */
  shown: number;
}): Severity {
  const { node, items, strange, shown } = table;
  const isKeyed =
    node.type === 'dictionary' || (node.type === 'object' && items.some(({ type, text }) => type === 'pair' && /^(['"[]|\d)/.test(text)));
  const isPaired = /^(array|list|set)$/.test(node.type) && items.some(({ type }) => /^(array|list|tuple)$/.test(type));
  if (shown >= 2 && (isKeyed || isPaired || node.type === 'set')) return 'medium';
  if (strange.some(isDigest)) return 'medium';
  return isKeyed && strange.some(({ isNumber }) => isNumber) ? 'medium' : 'low';
}

function isDigest({ text, isNumber }: TableKey): boolean {
  return (isNumber && Number(text) > 100_000) || /^[0-9a-f]{6,}$|^[A-Za-z0-9+/]{16,}={0,2}$/.test(text);
}

function keyOf(item: SyntaxNode): TableKey | undefined {
  const key = item.type === 'pair' ? childOf(item, 'key') : /^(array|tuple|list)$/.test(item.type) ? namedChildren(item)[0] : item;
  const deep =
    key && /^(array|tuple|list|computed_property_name|unary_expression|unary_operator)$/.test(key.type) ? namedChildren(key)[0] : key;
  if (deep === undefined) return undefined;
  if (/^(integer|float|number)$/.test(deep.type)) return { text: canonical(deep.text), isNumber: true };
  if (/^(string|template_string)$/.test(deep.type)) return { text: deep.text.replace(/^[rbuf]*['"`]|['"`]$/g, ''), isNumber: false };
  return undefined;
}
