import type { Node } from '@vscode/tree-sitter-wasm';
import { childrenOf, descendantsOf, stringValue } from '../example/syntax.js';
import { referencesIn } from '../references.js';

/** A function or method with a name, and what can be said of it without its body. */
export interface NamedFunction {
  readonly name: string;
  /** Class that it is a method of. */
  readonly owner?: string;
  /** 1-based lines, both ends included. */
  readonly start: number;
  readonly end: number;
  /** True below no other function. */
  readonly isOuter: boolean;
  readonly signature: string;
  readonly doc?: string;
}

const functionTypes = [
  'function_declaration',
  'generator_function_declaration',
  'function_expression',
  'arrow_function',
  'method_definition',
  'function_definition',
];
const wrappers =
  /^(variable_declarator|lexical_declaration|variable_declaration|export_statement|assignment_expression|expression_statement|decorated_definition)$/;
/** Longest signature and doc comment, in UTF-16 units, and most lines of the latter. */
const longest = { signature: 200, doc: 600, docLines: 12 };

/** Every function of a file that has a name, in document order. */
export function namedFunctions(root: Node): NamedFunction[] {
  const functions = descendantsOf(root, functionTypes);
  const outer: Node[] = [];
  return functions.flatMap((node) => {
    const last = outer.at(-1);
    const isOuter = last === undefined || node.startIndex >= last.endIndex;
    if (isOuter) outer.push(node);
    const name = nameOf(node);
    const parameters = node.childForFieldName('parameters') ?? node.childForFieldName('parameter');
    if (name === null || parameters === null) return [];
    const owner = ownerOf(node);
    const returns = node.childForFieldName('return_type')?.text ?? '';
    const arrow = returns === '' || returns.startsWith(':') ? returns : ` -> ${returns}`;
    const given = parameters.text.startsWith('(') ? parameters.text : `(${parameters.text})`;
    const signature = `${name}${given.replace(/\s+/g, ' ').replace(/^\((self|cls)(, )?/, '(')}${arrow}`;
    const doc = docOf(node);
    return [
      {
        ...{
          name,
          isOuter,
          start: node.startPosition.row + 1,
          end: node.endPosition.row + 1,
          signature: signature.slice(0, longest.signature),
        },
        ...(owner === undefined ? {} : { owner }),
        ...(doc === '' ? {} : { doc }),
      },
    ];
  });
}

function nameOf(node: Node): string | null {
  const own = node.childForFieldName('name');
  if (own !== null) return own.text;
  const { parent } = node;
  if (parent?.type === 'variable_declarator') return parent.childForFieldName('name')?.text ?? null;
  if (parent?.type === 'pair')
    return stringValue(parent.childForFieldName('key') ?? undefined) ?? parent.childForFieldName('key')?.text ?? null;
  const left = parent?.type === 'assignment_expression' ? parent.childForFieldName('left') : null;
  return left?.childForFieldName('property')?.text ?? (left?.type === 'identifier' ? left.text : null);
}

function ownerOf({ parent }: Node): string | undefined {
  const block = parent?.type === 'decorated_definition' ? parent.parent : parent;
  const isBody = block?.type === 'class_body' || (block?.type === 'block' && block.parent?.type === 'class_definition');
  return isBody ? block?.parent?.childForFieldName('name')?.text : undefined;
}

/** The docstring, else the comments that end on the line above; '' when there is nothing to say. */
function docOf(node: Node): string {
  const first = childrenOf(node.childForFieldName('body'))[0];
  const string = node.type === 'function_definition' && first?.type === 'expression_statement' ? childrenOf(first)[0] : undefined;
  if (string?.type === 'string') return cleaned(childrenOf(string).find(({ type }) => type === 'string_content')?.text ?? '');
  let statement = node;
  for (let wrapper = node.parent; wrapper !== null && wrappers.test(wrapper.type); wrapper = wrapper.parent) statement = wrapper;
  const comments: string[] = [];
  let row = statement.startPosition.row;
  for (let at = statement.previousSibling; at?.type === 'comment' && at.endPosition.row === row - 1; at = at.previousSibling) {
    // A comment behind code is about that code.
    if (at.previousSibling?.endPosition.row === at.startPosition.row) break;
    comments.unshift(at.text);
    row = at.startPosition.row;
  }
  return cleaned(comments.join('\n').replace(/^\s*(\/\*\*?|\/\/+!?|#+!?)|\*\/\s*$/gm, ''));
}

/** Without margins, directives for tools, and lines that lead to issues or commits. */
function cleaned(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/^\s*\*(?!\*)\s?/, '').trim());
  const kept = lines.filter(
    (line) => !/^(eslint|istanbul|c8|biome|prettier|jshint|@ts-|type:|noqa|pylint|pragma)/.test(line) && referencesIn(line).length === 0,
  );
  const doc = kept
    .join('\n')
    .replace(/\n{2,}/g, '\n')
    .trim()
    .split('\n')
    .slice(0, longest.docLines);
  while (doc.join('\n').length > longest.doc) doc.pop();
  return doc.join('\n');
}
