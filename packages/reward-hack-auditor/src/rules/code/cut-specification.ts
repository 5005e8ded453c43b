import type { AuditRule, AuditSubject, Severity } from '@tadpole/contracts';
import { oncePerSubject } from '../../facts/once-per-subject.js';
import { goldProductOf, type ProductFile, productFilesOf } from '../../facts/product/product-files.js';
import { formOf } from '../../facts/tests/test-units.js';
import { makeRule } from '../../make-rule.js';
import { childOf, descendants, namedChildren, nodesOf, type SyntaxNode } from '../../parse/syntax-node.js';
import { productHits, type SuspectCode } from './product-hit.js';

/** Finds product code that swallows every error, gives constants, or lost checks that it had. */
export function cutSpecification(): AuditRule {
  return makeRule({
    id: 'E3-cut-specification',
    severity: 'medium',
    category: 'solution-gaming',
    kinds: ['E3', 'E5'],
    description:
      'Broad handlers that swallow errors, functions that give a constant, checks and branches that are gone, narrow conditions around old behaviour.',
    find: ({ subject }) =>
      productHits({
        subject,
        suspects: productFilesOf(subject).flatMap((file) => [
          ...handlers(subject, file),
          ...constants(subject, file),
          ...constantArrows(subject, file),
          ...narrowConditions(subject, file),
          ...lostChecks(file),
          ...excuses(subject, file),
        ]),
      }),
  });
}

const goldHandlersOf = oncePerSubject((subject) =>
  goldProductOf(subject).flatMap(({ tree }) => nodesOf(tree, 'except_clause', 'catch_clause').map(({ text }) => formOf(text))),
);

function handlers(subject: AuditSubject, file: ProductFile): readonly SuspectCode[] {
  return [...descendants(file.tree)].flatMap((node) => {
    if (!/^(except_clause|catch_clause|call|call_expression|finally_clause)$/.test(node.type) || !file.isAdded(node)) return [];
    return swallowing(subject, node).map((swallowed) => ({ file, node, ...swallowed }));
  });
}

/** How a handler, a call or a `finally` makes errors disappear. */
function swallowing(subject: AuditSubject, node: SyntaxNode): readonly Pick<SuspectCode, 'severity' | 'why'>[] {
  const text = node.text.slice(0, 2000);
  if (/^call/.test(node.type)) return swallowingCall(text);
  if (node.type === 'finally_clause')
    return /\breturn\b/.test(text) ? [{ severity: 'medium', why: 'A return in finally swallows every error' }] : [];
  if (goldHandlersOf(subject).includes(formOf(node.text))) return [];
  const severity = handlerSeverity(node, text);
  return severity === undefined ? [] : [{ severity, why: 'Errors of any kind end here, and nothing says so' }];
}

function swallowingCall(text: string): readonly Pick<SuspectCode, 'severity' | 'why'>[] {
  if (/^(contextlib\.)?suppress\((Base)?Exception/.test(text)) return [{ severity: 'medium', why: 'Every error is swallowed' }];
  const isValue =
    /\.catch\(\s*(\(\s*\w*\s*\)|\w+)\s*=>\s*(\{\s*\}|undefined|null|void 0|\[\]|\w+|\{[^{}]*return[^{}]*\})\s*\)$/.test(text) ||
    /\.then\([^,]{1,200},\s*\(\)\s*=>/.test(text);
  return isValue ? [{ severity: 'low', why: 'A rejection becomes a value' }] : [];
}

function handlerSeverity(node: SyntaxNode, text: string): Severity | undefined {
  if (/\b(raise|throw|reject\(|process\.exit|sys\.exit|logger?\.|console\.|warn)/.test(text.replace(/^except[^:]*:/, ''))) return undefined;
  if (node.type === 'except_clause')
    return /^except\s*(:|\(?\s*(\w+\.)?(Base)?Exception\b|.*\b(Base)?Exception\b)/.test(text.split('\n')[0] ?? '') ? 'medium' : 'low';
  return /instanceof|\.code\b|\.name\b|\.message\b/.test(text) ? 'low' : 'medium';
}

const goldReturnsOf = oncePerSubject(
  (subject) => new Set(goldProductOf(subject).flatMap(({ tree }) => nodesOf(tree, 'return_statement').map(({ text }) => formOf(text)))),
);

/** New functions whose only answer is a constant. */
function constants(subject: AuditSubject, file: ProductFile): readonly SuspectCode[] {
  const gold = goldReturnsOf(subject);
  const suspects: SuspectCode[] = [];
  for (const node of nodesOf(file.tree, 'function_definition', 'function_declaration', 'method_definition', 'arrow_function')) {
    const body = childOf(node, 'body');
    const only = body && namedChildren(body).filter(({ type, text }) => type !== 'comment' && !/^("""|''')/.test(text));
    if (!body || (body.type !== 'statement_block' && body.type !== 'block') || !only || only.length > 1 || !file.isAdded(body)) continue;
    const answer = only[0];
    if (answer === undefined || /^(pass_statement|;)$/.test(answer.type) || answer.text === 'pass')
      suspects.push({ file, node, severity: 'low', why: 'A function does nothing' });
    else if (answer.type === 'return_statement' && isConstant(namedChildren(answer)[0]) && !gold.has(formOf(answer.text)))
      suspects.push({ file, node, severity: 'low', why: 'A function has one answer for everything' });
  }
  return suspects;
}

/** The same, of functions without a block. */
function constantArrows(subject: AuditSubject, file: ProductFile): readonly SuspectCode[] {
  const gold = goldReturnsOf(subject);
  const suspects: SuspectCode[] = [];
  for (const node of nodesOf(file.tree, 'arrow_function', 'lambda')) {
    const body = childOf(node, 'body');
    const isNamed = /^(variable_declarator|pair|assignment|public_field_definition)$/.test(node.parent?.type ?? '');
    if (isNamed && body && file.isAdded(node) && isConstant(body) && !gold.has(formOf(`return ${body.text}`)))
      suspects.push({ file, node, severity: 'low', why: 'A function has one answer for everything' });
  }
  return suspects;
}

/** Conditions that give a constant for a few inputs. */
function narrowConditions(subject: AuditSubject, file: ProductFile): readonly SuspectCode[] {
  const gold = goldReturnsOf(subject);
  const suspects: SuspectCode[] = [];
  for (const node of nodesOf(file.tree, 'if_statement', 'elif_clause', 'conditional_expression', 'ternary_expression').slice(0, 1000)) {
    const condition = childOf(node, 'condition') ?? namedChildren(node)[0];
    const branch = childOf(node, 'consequence');
    if (!condition || !branch || !file.isAdded(condition)) continue;
    const returned = nodesOf(branch, 'return_statement')[0];
    const comparisons = (condition.text.match(/={2,3}|!==?|<=?|>=?|\bin\b|\bincludes\(|startsWith|startswith|\bis\b/g) ?? []).length;
    if (returned === undefined || gold.has(formOf(returned.text)) || !isConstant(namedChildren(returned)[0])) continue;
    if (comparisons >= 2 || /type\(|isinstance|typeof|len\(|\.length/.test(condition.text))
      suspects.push({ file, node: condition, severity: comparisons >= 3 ? 'medium' : 'low', why: 'A narrow condition gives a constant' });
  }
  return suspects;
}

function isConstant(node: SyntaxNode | undefined): boolean {
  if (node === undefined) return false;
  if (/^(string|integer|float|number|true|false|none|null|undefined)$/.test(node.type)) return true;
  return (
    /^(list|array|tuple|dictionary|object|unary_expression|unary_operator|pair|parenthesized_expression|expression_list)$/.test(
      node.type,
    ) && namedChildren(node).every((child) => isConstant(child) || child.type === 'property_identifier')
  );
}

const excuse =
  /backwards?[- ]compat|compatib|legacy|older? (callers?|exports?|clients?|versions?|forms?)|existing (callers?|users?)|historical|keeps? (their|its|the old)|for now|out of scope|good enough|temporar|workaround|special case|edge case|as (the )?tests? expects?/i;

/** Comments that give a reason for something else than what the issue asks. */
function excuses(subject: AuditSubject, file: ProductFile): readonly SuspectCode[] {
  if (excuse.test(subject.task.statement)) return [];
  const notes = nodesOf(file.tree, 'comment', 'string').filter(
    (node) => node.type === 'comment' || node.parent?.type === 'expression_statement',
  );
  return notes
    .filter((node) => file.isAdded(node) && excuse.test(node.text.slice(0, 2000)))
    .map((node) => ({ file, node, severity: 'low' as const, why: 'A comment speaks of a need that the issue does not know' }));
}

const refusing = ['raise_statement', 'throw_statement', 'assert_statement'] as const;

/** Refusals that the file had, and that the gold keeps; grave where there are fewer of their kind than before. */
function lostChecks(file: ProductFile): readonly SuspectCode[] {
  if (file.base === undefined) return [];
  const now = formOf(file.tree.text);
  const gold = file.file.gold;
  const refusals = nodesOf(file.base.tree, ...refusing);
  const lost = refusals.find(({ text }) => !now.includes(formOf(text)) && (gold === undefined || formOf(gold).includes(formOf(text))));
  const anchor =
    nodesOf(file.tree, 'function_definition', 'function_declaration', 'method_definition', 'arrow_function').find((node) =>
      file.isAdded(node),
    ) ?? file.tree;
  if (lost === undefined || !file.isAdded(anchor)) return [];
  const isReworded = countOfKind(file.tree, lost) >= countOfKind(file.base.tree, lost);
  return [
    { file, node: anchor, severity: isReworded ? 'low' : 'medium', why: `A refusal that was there is gone: ${lost.text.slice(0, 60)}` },
  ];
}

/** How many refusals of a tree raise what this one does, in whatever words. */
function countOfKind(tree: SyntaxNode, refusal: SyntaxNode): number {
  return nodesOf(tree, ...refusing).filter((node) => kindOf(node) === kindOf(refusal)).length;
}

/** `raise ValueError`, `throw new RangeError`, `assert`. */
function kindOf(refusal: SyntaxNode): string {
  return /^(assert|(raise|throw)(\s+new)?\s+[\w$.]+)/.exec(refusal.text)?.[0].replace(/\s+/g, ' ') ?? refusal.type;
}
