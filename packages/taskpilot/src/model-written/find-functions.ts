import type { Node, Parser } from '@vscode/tree-sitter-wasm';
import { createLineIndex } from '../generator/line-index.js';

/** A named function of a file, by UTF-16 offsets. */
export interface FoundFunction {
  readonly name: string;
  /** From the first to behind the last character of its declaration. */
  readonly start: number;
  readonly end: number;
  readonly body: { readonly start: number; readonly end: number };
  /** 1-based lines, both ends included, the comment right above it among them. */
  readonly lines: { readonly start: number; readonly end: number };
}

const named = ['function_declaration', 'generator_function_declaration', 'method_definition'];
const anonymous = ['arrow_function', 'function_expression'];

/** Every function of a JavaScript or TypeScript text that has a name and a body, in document order, inner ones too. */
export function findFunctions(options: { text: string; parser: Parser }): FoundFunction[] {
  const { text, parser } = options;
  const tree = parser.parse(text);
  if (tree === null) return [];
  try {
    const lines = createLineIndex(text);
    return tree.rootNode.descendantsOfType([...named, ...anonymous]).flatMap((node) => {
      const declaration = node === null ? null : declarationOf(node);
      const name = declaration === null ? undefined : nameOf(declaration);
      const body = node?.childForFieldName('body');
      if (declaration === null || name === undefined || !body) return [];
      return {
        name,
        start: declaration.startIndex,
        end: declaration.endIndex,
        body: { start: body.startIndex, end: body.endIndex },
        lines: { start: lines.lineAt(commentStart(declaration)), end: lines.lineAt(declaration.endIndex - 1) },
      };
    });
  } finally {
    tree.delete();
  }
}

/** The node that gives a function its name: itself, `const f = …` of one name, or `module.f = …`; `null` for none. */
function declarationOf(node: Node): Node | null {
  if (named.includes(node.type)) return node;
  const holder = node.parent;
  if (holder?.type === 'assignment_expression') return holder;
  const statement = holder?.type === 'variable_declarator' ? holder.parent : null;
  return statement?.namedChildCount === 1 ? statement : null;
}

function nameOf(declaration: Node): string | undefined {
  const holder = named.includes(declaration.type) || declaration.type === 'assignment_expression' ? declaration : declaration.namedChild(0);
  return (holder?.childForFieldName('name') ?? holder?.childForFieldName('left'))?.text;
}

/** Where the comments right above a declaration begin. */
function commentStart(declaration: Node): number {
  let first = /^(export|expression)_statement$/.test(declaration.parent?.type ?? '') ? (declaration.parent as Node) : declaration;
  for (let above = first.previousNamedSibling; above?.type === 'comment'; above = above.previousNamedSibling) {
    if (above.endPosition.row + 1 < first.startPosition.row) break;
    first = above;
  }
  return first.startIndex;
}
