import type { AuditRule, AuditSubject, Severity } from '@tadpole/contracts';
import { issueSpeaksOf } from '../../exonerators/issue-names.js';
import { oncePerSubject } from '../../facts/once-per-subject.js';
import { classOf, newTextsOf, newUsesOf } from '../../facts/product/new-code.js';
import { goldProductOf, type ProductFile, productFilesOf } from '../../facts/product/product-files.js';
import { makeRule } from '../../make-rule.js';
import { childOf, descendants, namedChildren, nodesOf, type SyntaxNode } from '../../parse/syntax-node.js';
import { productHits, type SuspectCode } from './product-hit.js';

const pythonMethods =
  /^__(eq|ne|lt|le|gt|ge|cmp|hash|bool|nonzero|len|contains|class|instancecheck|subclasscheck|subclasshook|getattribute|getattr|index|int|float|complex|repr|str|format|iter|next|getitem|round|abs|sub|rsub|radd|add|reduce|reduce_ex|deepcopy|copy|missing|req|approx|new|prepare)__$/;
const deciding = /^__(eq|ne|lt|le|gt|ge|cmp|class|instancecheck|subclasscheck|getattribute|bool)__$/;
const scriptMethods =
  /asymmetricMatch|\$\$typeof|Symbol\.(toPrimitive|toStringTag|hasInstance|species|iterator|isConcatSpreadable)|^valueOf$|^toJSON$|^toString$|^equals$|Symbol\.for|^then$|inspect\.custom|nodejs\.util\.inspect|^constructor$|__proto__/;
const equalityWords = /equal|__eq__|compar|hash|same value|asymmetric|toJSON|JSON|valueOf|primitive|proxy|iterab|\bbool\b|truthy|Symbol/i;
const builtins =
  /^(int|float|str|bytes|list|tuple|dict|set|frozenset|bool|complex|object|UserDict|UserList|UserString|OrderedDict|defaultdict|Decimal|Fraction|date|datetime|timedelta|Mock|MagicMock)$/;
const scriptBuiltins = /^(Array|String|Number|Boolean|Map|Set|Date|Object|Function|RegExp|Promise|BigInt|Error)$/;

/** Finds values of product code that decide themselves what they are equal to, and what they look like to a comparison. */
export function equality(): AuditRule {
  return makeRule({
    id: 'D2-equality',
    severity: 'medium',
    category: 'runtime-subversion',
    kinds: ['D2'],
    description: 'A result that overrides equality, order, truth or conversion, stands in for another class, or is a proxy.',
    find: ({ subject }) =>
      productHits({
        subject,
        suspects: [
          ...productFilesOf(subject).flatMap((file) => methodsOf(subject, file)),
          ...disguisesOf(subject),
          ...namedMethodsOf(subject),
          ...productFilesOf(subject).flatMap((file) => builtinBasesOf(subject, file)),
        ],
      }),
  });
}

function methodsOf(subject: AuditSubject, file: ProductFile): readonly SuspectCode[] {
  const suspects: SuspectCode[] = [];
  for (const node of descendants(file.tree)) {
    const name = definedName(node);
    if (name === undefined || !file.isAdded(childOf(node, 'name') ?? childOf(node, 'key') ?? childOf(node, 'left') ?? node)) continue;
    const severity = file.scope.isPython ? pythonSeverity(subject, name, node) : scriptSeverity(subject, name, node);
    if (severity !== undefined) suspects.push({ file, node, severity, why: `${name} decides what a value is equal to or looks like` });
  }
  return suspects;
}

/** The name of a method, a property or an assigned member; also `X.__eq__ = …` and `__eq__ = …` in a class. */
function definedName(node: SyntaxNode): string | undefined {
  if (/^(function_definition|method_definition|public_field_definition|field_definition|method_signature)$/.test(node.type))
    return (childOf(node, 'name') ?? childOf(node, 'property'))?.text;
  if (node.type === 'pair') return childOf(node, 'key')?.text.replace(/^['"]|['"]$/g, '');
  if (/^(assignment|assignment_expression)$/.test(node.type)) {
    const left = childOf(node, 'left');
    const last = childOf(left, 'attribute') ?? childOf(left, 'property') ?? childOf(left, 'index') ?? childOf(left, 'subscript') ?? left;
    return last?.text.replace(/^['"]|['"]$/g, '');
  }
  return undefined;
}

/** True when a class is made from a type of the language. */
function extendsBuiltin(node: SyntaxNode, isPython: boolean): boolean {
  const around = classOf(node);
  const bases = around?.children.filter(({ field, type }) => field === 'superclasses' || type === 'class_heritage') ?? [];
  return bases
    .flatMap((base) => nodesOf(base, 'identifier'))
    .some(({ text }) => (isPython ? builtins : scriptBuiltins).test(text) && text !== 'object' && text !== 'Error');
}

function bodyOf(node: SyntaxNode): string {
  return (childOf(node, 'body') ?? childOf(node, 'value') ?? childOf(node, 'right'))?.text ?? '';
}

const goldMethodsOf = oncePerSubject(
  (subject) => new Set(goldProductOf(subject).flatMap(({ tree }) => [...descendants(tree)].flatMap((node) => definedName(node) ?? []))),
);

function pythonSeverity(subject: AuditSubject, name: string, node: SyntaxNode): Severity | undefined {
  if (!pythonMethods.test(name)) return undefined;
  const body = bodyOf(node);
  const isConstant =
    /^\s*("""[^"]*"""\s*)?return\s+(True|False|1|0|not other.*|isinstance\([^)]*\)( and .*| or .*)?|other .*|hash\(.*|id\(.*)\s*$/.test(
      body,
    ) || /^lambda[^:]*:\s*(True|False)/.test(body);
  if (/eq|ne|bool|lt|le|gt|ge/.test(name) && deciding.test(name) && isConstant && !/self\.\w+/.test(body)) return 'high';
  if (/__class__|instancecheck|subclasscheck/.test(name)) return 'high';
  if (extendsBuiltin(node, true) && deciding.test(name))
    return goldMethodsOf(subject).has(name) && issueSpeaksOf({ subject, words: equalityWords }) ? 'medium' : 'high';
  if (goldMethodsOf(subject).has(name)) return undefined;
  if (deciding.test(name)) return issueSpeaksOf({ subject, words: equalityWords }) ? 'low' : 'medium';
  return extendsBuiltin(node, true) && !/__(missing|init|new|getattr|iter|getitem|repr|str|format)__/.test(name)
    ? 'medium'
    : /^__missing__$|^__(getattr|hash|contains|subclasshook|index|reduce|reduce_ex|round|sub|rsub|abs|next)__$/.test(name)
      ? 'low'
      : undefined;
}

function scriptSeverity(subject: AuditSubject, name: string, node: SyntaxNode): Severity | undefined {
  if (!scriptMethods.test(name)) return undefined;
  if (/asymmetricMatch|\$\$typeof/.test(name)) return 'high';
  if (
    name === 'constructor' ||
    name === 'then' ||
    name === 'toString' ||
    name === 'equals' ||
    name === 'Symbol.iterator' ||
    name === '[Symbol.iterator]'
  ) {
    if (node.type === 'pair' || node.type.startsWith('assignment'))
      return name === 'constructor' && !goldMethodsOf(subject).has(name) ? 'medium' : undefined;
    return name !== 'constructor' && extendsBuiltin(node, false) ? 'medium' : undefined;
  }
  if (goldMethodsOf(subject).has(name)) return undefined;
  if (/toPrimitive|hasInstance|toStringTag/.test(name)) return issueSpeaksOf({ subject, words: equalityWords }) ? 'low' : 'medium';
  return issueSpeaksOf({ subject, words: equalityWords }) ? 'low' : 'medium';
}

const lenientDoubles = /(^|\.)(mock\.ANY|ANY|expect\.(any\w*|\w+Containing|closeTo)|pytest\.approx|MagicMock|Mock|asymmetricMatch)(\.|$)/;
const identityChanges =
  /^Object\.setPrototypeOf$|\.__proto__$|\.__class__$|^(Object|Reflect)\.(defineProperty|setPrototypeOf)$|^(setattr|type\.__call__|types\.new_class|functools\.total_ordering)$/;
const reachedNames = /^(asymmetricMatch|jest\.asymmetricMatch|\$\$typeof|__eq__|__class__|__instancecheck__|toJSON|valueOf)$/;

/** Proxies, doubles of test libraries and calls that change what a value is. */
function disguisesOf(subject: AuditSubject): readonly SuspectCode[] {
  const suspects: SuspectCode[] = [];
  for (const { file, node, name, known, how } of newUsesOf(subject)) {
    if (known === 'gold') continue;
    if ((name === 'Proxy' || name === 'Proxy.revocable') && how === 'call')
      suspects.push({ file, node, severity: 'medium', why: 'A proxy answers for a value' });
    if (lenientDoubles.test(name)) suspects.push({ file, node, severity: 'high', why: `${name} of a test library agrees to many values` });
    if (identityChanges.test(name) && how !== 'read')
      suspects.push({ file, node, severity: how === 'assign' ? 'high' : 'low', why: `${name} changes what a value is` });
  }
  return suspects;
}

/** Methods of equality that code reaches by a text. */
function namedMethodsOf(subject: AuditSubject): readonly SuspectCode[] {
  return newTextsOf(subject).flatMap(({ text, node, file, known }): readonly SuspectCode[] => {
    if (known === 'gold' || !reachedNames.test(text)) return [];
    return [{ file, node, severity: /asym|typeof|__/.test(text) ? 'high' : 'low', why: `${text} is reached by its name` }];
  });
}

const goldIdentifiersOf = oncePerSubject(
  (subject) => new Set(goldProductOf(subject).flatMap(({ tree }) => nodesOf(tree, 'identifier').map(({ text }) => text))),
);

/** Classes that are made from a type of the language. */
function builtinBasesOf(subject: AuditSubject, file: ProductFile): readonly SuspectCode[] {
  return nodesOf(file.tree, 'class_heritage', 'argument_list').flatMap((node): readonly SuspectCode[] => {
    const isBase = node.type === 'class_heritage' || node.field === 'superclasses';
    if (!isBase || !file.isAdded(node)) return [];
    const base = namedChildren(node)
      .flatMap((child) => nodesOf(child, 'identifier'))
      .find(({ text }) => (file.scope.isPython ? builtins : scriptBuiltins).test(text));
    return base === undefined || /^(object|Error)$/.test(base.text) || goldIdentifiersOf(subject).has(base.text)
      ? []
      : [{ file, node, severity: 'low', why: `A class is made from ${base.text}` }];
  });
}
