import { posix } from 'node:path';
import { parseSource } from '../../parse/load-parsers.js';
import { childOf, namedChildren, nodesOf, type SyntaxNode } from '../../parse/syntax-node.js';
import { applyEdits, type TextEdit } from './text-edits.js';

/** Stand-ins for what tests import, by the name under which they do. */
const frameworks: Readonly<Record<string, string>> = {
  ...{ vitest: 'vitest', '@jest/globals': '@jest/globals', mocha: 'mocha', 'node:test': 'node:test', test: 'node:test' },
  ...{ 'node:assert': 'node:assert', 'node:assert/strict': 'node:assert', assert: 'node:assert', 'assert/strict': 'node:assert' },
};
const testFunctions = ['test', 'it', 'describe'];
const globalNames = 'test, it, describe, expect, before, after, beforeAll, afterAll, beforeEach, afterEach, jest, suite';

/**
 * A test file, or a helper of tests, so that it can run outside of a runner: frameworks become the replay's stand-ins, relative
 * imports absolute ones. Imports of other test files go where these were moved.
 */
export function rewriteImports(options: {
  text: string;
  /** Where the file stood, relative to the workspace. */
  path: string;
  workspacePath: string;
  /** Where the stand-ins stand. */
  shimPath: string;
  /** Absolute place of a moved file by its old path; `undefined` for one that was not moved. */
  moved(path: string): string | undefined;
}): string {
  const { text, path, workspacePath, shimPath, moved } = options;
  const tree = parseSource({ language: /x$/.test(path) ? 'tsx' : 'typescript', text });
  const target = (specifier: string) => {
    if (!specifier.startsWith('.')) return specifier;
    const resolved = posix.join(posix.dirname(path), specifier);
    return moved(resolved) ?? posix.join(workspacePath, resolved);
  };
  const imports = importEdits({ tree, target });
  const calls = requireEdits({ tree, target });
  const isModule = namedChildren(tree).some(({ type }) => type === 'import_statement' || type === 'export_statement');
  const quoted = JSON.stringify(shimPath);
  const load = isModule ? `import __audit from ${quoted};` : `const __audit = require(${quoted});`;
  const isBound = imports.bindsTests || calls.bindsTests || !callsTests(tree);
  const globals = isBound ? '' : ` const { ${globalNames} } = __audit.globals;`;
  return `${load}${globals} ${applyEdits(text, [...imports.edits, ...calls.edits])}`;
}

interface ImportEdits {
  readonly edits: readonly TextEdit[];
  /** True when the runner's functions come from an import rather than from globals. */
  readonly bindsTests: boolean;
}

function importEdits(options: { tree: SyntaxNode; target(specifier: string): string }): ImportEdits {
  const edits: TextEdit[] = [];
  let bindsTests = false;
  for (const node of nodesOf(options.tree, 'import_statement', 'export_statement')) {
    const source = childOf(node, 'source');
    const specifier = source === undefined ? undefined : stringValue(source);
    if (source === undefined || specifier === undefined) continue;
    const framework = frameworks[specifier];
    bindsTests ||= framework !== undefined && framework !== 'node:assert';
    if (framework !== undefined) edits.push({ ...spanOf(node), text: bindFramework({ node, framework }) });
    else edits.push({ ...spanOf(source), text: JSON.stringify(options.target(specifier)) });
  }
  return { edits, bindsTests };
}

function requireEdits(options: { tree: SyntaxNode; target(specifier: string): string }): ImportEdits {
  const edits: TextEdit[] = [];
  let bindsTests = false;
  for (const call of nodesOf(options.tree, 'call_expression')) {
    const [argument] = namedChildren(childOf(call, 'arguments') ?? call);
    const specifier = argument === undefined ? undefined : stringValue(argument);
    if (argument === undefined || specifier === undefined || !['require', 'import'].includes(childOf(call, 'function')?.text ?? ''))
      continue;
    const framework = frameworks[specifier];
    bindsTests ||= framework !== undefined && framework !== 'node:assert';
    if (framework === undefined) edits.push({ ...spanOf(argument), text: JSON.stringify(options.target(specifier)) });
    else edits.push({ ...spanOf(call), text: `__audit[${JSON.stringify(framework)}]${framework.startsWith('node:') ? '.default' : ''}` });
  }
  return { edits, bindsTests };
}

function spanOf({ start, end }: SyntaxNode): { start: number; end: number } {
  return { start, end };
}

/** Declarations in the place of an import from a framework. */
function bindFramework(options: { node: SyntaxNode; framework: string }): string {
  const { node, framework } = options;
  const value = `__audit[${JSON.stringify(framework)}]`;
  const clause = node.children.find(({ type }) => type === 'import_clause');
  if (clause === undefined || node.children.some(({ type }) => type === 'type')) return ';';
  const parts = namedChildren(clause).map((part) => {
    if (part.type === 'identifier') return `const ${part.text} = ${value}.default ?? ${value};`;
    if (part.type === 'namespace_import') return `const ${namedChildren(part)[0]?.text} = ${value};`;
    const names = nodesOf(part, 'import_specifier').flatMap((item) => {
      if (item.children.some(({ type }) => type === 'type')) return [];
      const alias = childOf(item, 'alias')?.text;
      const name = childOf(item, 'name')?.text ?? item.text;
      return [alias === undefined ? name : `${name}: ${alias}`];
    });
    return `const { ${names.join(', ')} } = ${value};`;
  });
  return parts.join(' ');
}

function callsTests(tree: SyntaxNode): boolean {
  return nodesOf(tree, 'call_expression').some((call) => testFunctions.includes(childOf(call, 'function')?.text ?? ''));
}

function stringValue(node: SyntaxNode): string | undefined {
  return node.type === 'string' ? node.text.slice(1, -1) : undefined;
}
