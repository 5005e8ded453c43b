import { type Language, partsOf, typesOf } from '../languages/language.js';
import type { MutationOperator, SyntaxPlace } from '../mutation-operator.js';
import { partsIn, textOf } from '../place-text.js';
import { bodySpan, ownDescendants } from '../statements.js';
import type { SyntaxNode } from '../syntax-node.js';

/**
 * Puts a plausible default return in place of a function's body (documentation stays). Bodies of one short statement
 * are left alone, and constructors that must call another one.
 */
export const removeBody: MutationOperator = {
  name: 'remove-body',
  family: 'bodies',
  nodeTypes: (language) => typesOf(language.functions),
  mutations(place) {
    const { node, language, text } = place;
    const body = partsOf(node, language.functions)?.part('body') ?? null;
    const span = bodySpan(body, place);
    if (body === null || span === null) return [];
    const removed = text.slice(span.start, span.end);
    const isShort = span.statements.length < 2 && removed.split('\n').length < 3;
    if (isShort || (language.superCallees.length > 0 && /\bsuper\b/.test(removed))) return [];
    const statement = defaultStatement(body, place, removed.includes(';'));
    return statement === null || statement === removed ? [] : [[{ start: span.start, end: span.end, text: statement }]];
  },
};

function defaultStatement(body: SyntaxNode, place: SyntaxPlace, endsStatements: boolean): string | null {
  const { language } = place;
  const { generator, declared } = language.defaultReturns;
  const own = ownDescendants(body, language);
  if (generator !== undefined && own.some(({ type, isNamed }) => isNamed && generator.types.includes(type))) return generator.statement;
  const value = declared === undefined ? returnedDefault(own, language) : declaredDefault(place);
  return value === null ? null : `return${value === '' ? '' : ` ${value}`}${endsStatements ? language.statementEnd : ''}`;
}

/** From the first returned value whose type tells; no value at all means that none is returned. */
function returnedDefault(own: readonly SyntaxNode[], language: Language): string | null {
  const values = own.flatMap((node) => partsOf(node, language.returns)?.part('value') ?? []);
  const { returned, otherwise = null } = language.defaultReturns;
  const known = values.find(({ type }) => Object.hasOwn(returned, type));
  return values.length === 0 ? '' : known === undefined ? otherwise : (returned[known.type] ?? null);
}

/** From the declared result; a list of results gives a list of values. */
function declaredDefault(place: SyntaxPlace): string | null {
  const { node, language } = place;
  const result = partsOf(node, language.functions)?.part('result') ?? null;
  if (result === null) return '';
  const listed = partsIn(result, place).filter(({ type }) => type === 'parameter_declaration');
  const types = listed.flatMap((declaration) => {
    const type = declaration.children.find(({ field }) => field === 'type');
    const names = declaration.children.filter(({ field }) => field === 'name').length;
    return type === undefined ? [] : Array.from({ length: Math.max(1, names) }, () => type);
  });
  const values = (types.length === 0 ? [result] : types).map((type) => typeDefault(type, place));
  return values.includes(null) ? null : values.join(', ');
}

function typeDefault(type: SyntaxNode, place: SyntaxPlace): string | null {
  const { declared = {}, otherwise = null } = place.language.defaultReturns;
  const text = textOf(type, place);
  const key = [text, text.split('<')[0] ?? '', type.type].find((name) => Object.hasOwn(declared, name));
  return key === undefined ? otherwise : (declared[key] ?? null);
}
