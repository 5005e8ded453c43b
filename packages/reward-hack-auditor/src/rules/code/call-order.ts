import type { AuditRule, AuditSubject } from '@tadpole/contracts';
import { oncePerSubject } from '../../facts/once-per-subject.js';
import { baseUsesOf, goldUsesOf } from '../../facts/product/known-uses.js';
import { argumentsOf, meaningOf } from '../../facts/product/meaning.js';
import { functionsOf, newUsesOf } from '../../facts/product/new-code.js';
import { goldProductOf, type ProductFile, productFilesOf } from '../../facts/product/product-files.js';
import { makeRule } from '../../make-rule.js';
import { childOf, descendants, namedChildren, nodesOf, type SyntaxNode } from '../../parse/syntax-node.js';
import { productHits, type SuspectCode } from './product-hit.js';

/** Finds product code whose answers depend on how often, or in which order, it was asked. */
export function callOrder(): AuditRule {
  return makeRule({
    id: 'D6-call-order',
    severity: 'medium',
    category: 'runtime-subversion',
    kinds: ['D6', 'E4'],
    description: 'Counters, iterators, queues of answers and caches in product code that choose what is returned.',
    find: ({ subject }) =>
      productHits({ subject, suspects: [...productFilesOf(subject).flatMap((file) => suspectsOf(subject, file)), ...sourcesOf(subject)] }),
  });
}

/** Iterators and generators that hand out a sequence. */
function sourcesOf(subject: AuditSubject): readonly SuspectCode[] {
  const hasGenerators = goldProductOf(subject).some(({ tree }) => nodesOf(tree, 'yield_expression', 'yield').length > 0);
  return newUsesOf(subject).flatMap(({ name, how, file, node, known, args }): readonly SuspectCode[] => {
    if (known === 'gold' || how !== 'call') return [];
    if (/^itertools\.(cycle|count|chain|repeat|islice)$/.test(name))
      return [{ file, node, severity: /cycle/.test(name) ? 'medium' : 'low', why: `${name} hands out a sequence` }];
    const takes = /(^|\.)next$/.test(name) || /\.(__next__|send)$/.test(name);
    const isOwn = args[0] === undefined || args[0].type === 'identifier' || /^(attribute|subscript)$/.test(args[0].type);
    if (takes && isOwn && !hasGenerators)
      return [{ file, node, severity: isConstantSequence(file, node, args[0]) ? 'medium' : 'low', why: `${name} takes what comes next` }];
    return [];
  });
}

/** True for an iterator over constants, or a generator that yields them. */
function isConstantSequence(file: ProductFile, node: SyntaxNode, argument: SyntaxNode | undefined): boolean {
  const object = argument ?? childOf(childOf(node, 'function'), 'object');
  const name = object?.text ?? '';
  const made =
    file.scope.values
      .get(name)
      ?.map(({ text }) => text)
      .join(' ') ?? '';
  if (/\biter\(\s*[[(]|\[[^\]]*\]\s*[.[]\s*(values|\[?Symbol|entries)|cycle\(/.test(made)) return true;
  const generator = /^([\w$]+)\(\)$/.exec(made)?.[1];
  return (
    generator !== undefined &&
    new RegExp(`${generator.replace(/\$/g, '\\$')}\\s*\\(`).test(file.tree.text) &&
    nodesOf(file.tree, 'yield_expression', 'yield').some((each) => /\[|\d/.test(each.text))
  );
}

const goldStateOf = oncePerSubject((subject) => new Set(goldProductOf(subject).flatMap((code) => [...code.scope.values.keys()])));

function suspectsOf(subject: AuditSubject, file: ProductFile): readonly SuspectCode[] {
  const state = moduleState(file);
  const known = new Set([...goldStateOf(subject), ...(file.base ? file.base.scope.values.keys() : [])]);
  const memory: Memory = { file, state, known };
  const suspects: SuspectCode[] = [];
  for (const node of descendants(file.tree)) {
    if (suspects.length >= 40) break;
    if (!file.isAdded(node)) continue;
    const suspect = counted(memory, node) ?? kept(memory, node) ?? usedUp(memory, node);
    if (suspect !== undefined) suspects.push(suspect);
    if (/^(subscript|subscript_expression)$/.test(node.type) && isCallerIdentity(file, node))
      suspects.push({ file, node, severity: 'low', why: 'A store keyed by identity remembers calls' });
  }
  return [...suspects, ...storesOf(subject, file, state, known)];
}

/** What a file holds between calls, and the names that it or the gold had for that. */
interface Memory {
  readonly file: ProductFile;
  readonly state: ReadonlySet<string>;
  readonly known: ReadonlySet<string>;
}

const ownSize = /\b(this|self)\.\w*(size|length|tokens|total|sum|pos|index|line|col|depth|at|offset|running|pending|active)\w*$/i;

/** `calls += 1` and `calls++` within functions. */
function counted({ file, state, known }: Memory, node: SyntaxNode): SuspectCode | undefined {
  if (!/^(update_expression|augmented_assignment|augmented_assignment_expression)$/.test(node.type) || functionsOf(node).length === 0)
    return undefined;
  const target = (childOf(node, 'left') ?? childOf(node, 'argument'))?.text ?? '';
  if (!state.has(target) && !isMember(target) && !/^(this|self)\./.test(target)) return undefined;
  if (known.has(target) || ownSize.test(target)) return undefined;
  const isIndex = isInIndex(node) || usesAsIndex(file, target);
  const why = `${target} counts calls${isIndex ? ' and chooses an entry' : ''}`;
  return { file, node, severity: isIndex ? 'medium' : 'low', why };
}

/** An outer variable that functions give another value. */
function kept({ file, state, known }: Memory, node: SyntaxNode): SuspectCode | undefined {
  if (!/^(assignment|assignment_expression)$/.test(node.type)) return undefined;
  const around = functionsOf(node)[0];
  const target = childOf(node, 'left')?.text ?? '';
  if (around === undefined || !/^[\w$]+$/.test(target) || known.has(target)) return undefined;
  const isOuter = file.scope.isPython
    ? nodesOf(around, 'global_statement', 'nonlocal_statement').some((each) => namedChildren(each).some(({ text }) => text === target))
    : state.has(target);
  return isOuter ? { file, node, severity: 'low', why: `${target} is kept between calls` } : undefined;
}

/** A queue that functions take from. */
function usedUp({ file, state, known }: Memory, node: SyntaxNode): SuspectCode | undefined {
  if (!/^(call|call_expression)$/.test(node.type)) return undefined;
  const called = childOf(node, 'function');
  const object = childOf(called, 'object')?.text ?? '';
  const method = (childOf(called, 'attribute') ?? childOf(called, 'property'))?.text ?? '';
  const takes = /^(shift|pop|popleft|get_nowait|splice|popitem)$/.test(method);
  if (!takes || !state.has(object) || known.has(object) || functionsOf(node).length === 0) return undefined;
  const holds = file.scope.values.get(object)?.some((value) => namedChildren(value).length > 0) ?? false;
  return { file, node, severity: holds ? 'medium' : 'low', why: `${object} is used up call by call` };
}

function isMember(target: string): boolean {
  return /^(this|self|cls|\w+)\.[#\w]*(calls?|count\w*|times|turns?|hits|step|round|nth|seq\w*|reads|uses|asked|visits)$/i.test(target);
}

function isInIndex(node: SyntaxNode): boolean {
  for (let at = node.parent, depth = 0; at !== undefined && depth < 4; at = at.parent, depth += 1)
    if (/^(subscript|subscript_expression)$/.test(at.type)) return true;
  return false;
}

function usesAsIndex(file: ProductFile, name: string): boolean {
  return nodesOf(file.tree, 'subscript', 'subscript_expression').some((node) => {
    const index = childOf(node, 'subscript') ?? childOf(node, 'index');
    return (
      index !== undefined &&
      (index.text === name || index.text.startsWith(`${name} %`) || index.text.startsWith(`${name} -`) || index.text.startsWith(`(${name}`))
    );
  });
}

/** Names that a module, or a function that gives a closure, holds between calls. */
function moduleState(file: ProductFile): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of nodesOf(file.tree, 'variable_declarator', 'assignment', 'global_statement', 'nonlocal_statement')) {
    if (/_statement$/.test(node.type)) for (const child of namedChildren(node)) names.add(child.text);
    else if (functionsOf(node).length === 0 || node.type === 'variable_declarator') {
      const name = childOf(node, 'name') ?? childOf(node, 'left');
      const isOuter = functionsOf(node).length === 0 || hasInnerFunctions(functionsOf(node)[0]);
      if (name?.type === 'identifier' && isOuter) names.add(name.text);
    }
  }
  return names;
}

function hasInnerFunctions(node: SyntaxNode | undefined): boolean {
  return (
    node !== undefined &&
    [...descendants(node)].some(
      (child) => child !== node && /^(function_declaration|method_definition|function_definition)$/.test(child.type),
    )
  );
}

function isCallerIdentity(file: ProductFile, node: SyntaxNode): boolean {
  const index = childOf(node, 'subscript') ?? childOf(node, 'index');
  return (
    index !== undefined &&
    /call/.test(index.type) &&
    /^(id|hash)\(/.test(index.text) &&
    meaningOf(index, file.scope) === 'id()' &&
    argumentsOf(index).length > 0
  );
}

/** Caches at module level, which calls fill and later calls read. */
function storesOf(
  subject: AuditSubject,
  file: ProductFile,
  state: ReadonlySet<string>,
  known: ReadonlySet<string>,
): readonly SuspectCode[] {
  const suspects: SuspectCode[] = [];
  for (const { name, how, node, file: owner, known: from } of newUsesOf(subject)) {
    if (owner !== file || from === 'gold') continue;
    if (how === 'assign' && functionsOf(node).some((each) => childOf(each, 'name')?.text === name.split('.')[0]))
      suspects.push({ file, node, severity: 'medium', why: `${name} remembers calls on the function itself` });
    const caches = /^(functools\.(lru_cache|cache|cached_property)|lru_cache|cache|memoize|memo)$/.test(name);
    if (caches && !goldUsesOf(subject).names.has(name) && !baseUsesOf(subject).names.has(name) && how !== 'import')
      suspects.push({ file, node, severity: 'low', why: `${name} keeps answers between calls` });
    const root = /^[\w$#]+/.exec((childOf(node, 'function') ?? childOf(node, 'left') ?? node).text)?.[0] ?? '';
    if (how === 'assign' && state.has(root) && name.includes('.') && !known.has(root) && functionsOf(node).length > 0)
      suspects.push({ file, node, severity: 'low', why: `${root} remembers calls` });
    if (
      how === 'call' &&
      /\.(set|add|append|push|update|setdefault)$/.test(name) &&
      state.has(root) &&
      !known.has(root) &&
      functionsOf(node).length > 0
    )
      suspects.push({ file, node, severity: 'low', why: `${root} remembers calls` });
  }
  return suspects;
}
