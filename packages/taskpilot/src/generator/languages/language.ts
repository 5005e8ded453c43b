import type { SyntaxNode } from '../syntax-node.js';

/** Where a part of a node lies: a field of the grammar, a place among its named children, or its first token. */
export type Part = string | number | { readonly token: true };

/** A node type and where its parts lie. A part that is not told is one the language has no place for. */
export type Shape<Name extends string> = { readonly type: string } & { readonly [Key in Name]?: Part };

/** Operator tokens, or names, to what may stand in their place. */
export type Swaps = Readonly<Record<string, readonly string[]>>;

/**
 * A language as data: which node types of its grammar play which role for the mutation operators. A list that
 * is empty, or a member left out, makes the operators of that role propose nothing in this language.
 */
export interface Language {
  readonly name: 'javascript' | 'typescript' | 'tsx' | 'python' | 'go' | 'rust' | 'java';
  readonly extensions: readonly string[];
  /** Grammar file of `@vscode/tree-sitter-wasm`: `tree-sitter-<grammar>.wasm`. */
  readonly grammar: string;

  /** Nodes in which nothing is changed: types, imports, annotations. */
  readonly untouched: readonly string[];
  readonly comments: readonly string[];
  /** Literals of text: they join with `+`, and their lines keep their indentation. */
  readonly texts: readonly string[];
  readonly identifiers: readonly string[];
  /** Expressions that need no brackets under a negation. */
  readonly atoms: readonly string[];
  readonly brackets: readonly string[];
  /** What stands before a call without changing what is called: `await`. */
  readonly callPrefixes: readonly string[];

  readonly binaries: readonly Shape<'left' | 'operator' | 'right'>[];
  readonly comparisonChains: readonly string[];
  /** Partners of a token, by the operator that exchanges them. */
  readonly tokens: {
    readonly equality: Swaps;
    readonly boundary: Swaps;
    readonly direction: Swaps;
    readonly logical: Swaps;
    readonly arithmetic: Swaps;
    readonly bitwise: Swaps;
    readonly update: Swaps;
    readonly assignment: Swaps;
  };
  /** Binary operators whose two sides are not interchangeable. */
  readonly orderedOperators: readonly string[];
  readonly updates: readonly Shape<'operator'>[];
  readonly compoundAssignments: readonly Shape<'left' | 'operator' | 'right'>[];
  /** The step of a counting loop. */
  readonly loopSteps: readonly Shape<'step'>[];

  readonly booleans: { readonly types: readonly string[]; readonly flips: Readonly<Record<string, string>> };
  readonly integers: readonly string[];

  /** What an `if`, its like and a conditional expression test. */
  readonly conditions: readonly Shape<'condition'>[];
  /** Conditions that the token operators negate as a person would, unless their operator is among `except`. */
  readonly selfNegating: { readonly types: readonly string[]; readonly except: readonly string[] };
  readonly negation: Shape<'operator' | 'argument'> & { readonly token: string; readonly prefix: string };
  readonly conditionals: readonly Shape<'consequence' | 'alternative'>[];

  readonly ifs: readonly (Shape<'condition' | 'consequence' | 'alternative'> & {
    /** Children that bind a name for the consequence, which is lost with the condition. */
    readonly binds?: readonly string[];
  })[];
  readonly elseClauses: readonly Shape<'body'>[];
  /** `bound`: what ends the loop even when a `break` is lost. */
  readonly loops: readonly Shape<'body' | 'bound'>[];
  /** Statements other than loops that a `break` leaves. */
  readonly switches: readonly string[];
  readonly jumps: { readonly break: string; readonly continue: string };

  readonly calls: readonly (Shape<'callee' | 'object' | 'arguments'> & {
    /** Makes an instance: it cannot be unwrapped. */
    readonly isConstruction?: true;
    /** The callee copes with fewer arguments. */
    readonly hasOptionalArguments?: true;
  })[];
  readonly argumentLists: readonly string[];
  /** Arguments that keep their place. */
  readonly fixedArguments: readonly string[];
  readonly members: readonly Shape<'object' | 'property'>[];
  /** Functions whose arguments and result have types of their own: any other call of them fails at once. */
  readonly strictCallees: readonly string[];
  /** Callees that must be called. */
  readonly superCallees: readonly string[];
  readonly methodPairs: readonly (readonly [string, string])[];
  readonly functionPairs: readonly (readonly [string, string])[];

  /** Nodes whose named children are statements, one after the other. */
  readonly blocks: readonly string[];
  /** Statements whose names end with the block around them; empty where names live as long as the function. */
  readonly declarations: readonly string[];
  /** A statement that is one expression. */
  readonly expressionStatements: readonly string[];
  readonly assignments: readonly Shape<'target' | 'value'>[];
  /** Whether assigning to a name for the first time declares it. */
  readonly declaresByAssignment?: true;
  /** Other statements that may be missing, such as those that raise an error. */
  readonly discardable: readonly string[];
  /** Statements around a block that runs without them; not when one of `unless` is inside, the block apart. */
  readonly wrappers: readonly (Shape<'body'> & { readonly unless: readonly string[] })[];
  readonly emptyStatement: string;
  /** Whether an empty statement must stand where a statement was. */
  readonly needsStatement?: true;
  /** Written after a statement where the code around does so too. */
  readonly statementEnd: string;

  readonly functions: readonly Shape<'name' | 'parameters' | 'result' | 'body'>[];
  /** Method names that make an instance. */
  readonly constructors: readonly string[];
  readonly classes: readonly Shape<'name' | 'body'>[];
  /** What names an anonymous function: the parts of its parent. */
  readonly bindings: readonly Shape<'name' | 'value'>[];
  readonly returns: readonly Shape<'value'>[];
  /** Whether `return` alone is allowed in a function that returns values elsewhere. */
  readonly hasBareReturn?: true;
  readonly defaultReturns: {
    /** By the declared result type: its text, its text before `<`, or its node type; `''` has no value. Where given, declarations decide. */
    readonly declared?: Readonly<Record<string, string>>;
    /** By the node type of a value that the body returns. */
    readonly returned: Readonly<Record<string, string>>;
    /** For any other type; without it the body stays. */
    readonly otherwise?: string;
    /** What a body that holds one of `types` becomes. */
    readonly generator?: { readonly types: readonly string[]; readonly statement: string };
  };
  /** The part of a class that names its only base. */
  readonly baseClauses: readonly string[];
  /** `except`: node types and names of entries that stay. */
  readonly baseLists: readonly (Shape<'bases'> & { readonly except: readonly string[] })[];
}

/** The parts of a node by the first shape of its type, or `null` when no shape has its type. */
export function partsOf<Form extends { readonly type: string }>(
  node: SyntaxNode | null,
  shapes: readonly Form[],
): { readonly shape: Form; part(name: Exclude<keyof Form, 'type'>): SyntaxNode | null } | null {
  const shape = node?.isNamed === true ? shapes.find(({ type }) => type === node.type) : undefined;
  if (node === null || shape === undefined) return null;
  return { shape, part: (name) => partAt(node, shape[name] as Part | undefined) };
}

function partAt(node: SyntaxNode, part: Part | undefined): SyntaxNode | null {
  if (part === undefined) return null;
  if (typeof part === 'string') return node.children.find(({ field }) => field === part) ?? null;
  if (typeof part === 'object') return node.children.find(({ isNamed }) => !isNamed) ?? null;
  return node.children.filter(({ isNamed, type }) => isNamed && !type.endsWith('comment')).at(part) ?? null;
}

/** The node types of some shapes. */
export function typesOf(shapes: readonly { readonly type: string }[]): string[] {
  return [...new Set(shapes.map(({ type }) => type))];
}
