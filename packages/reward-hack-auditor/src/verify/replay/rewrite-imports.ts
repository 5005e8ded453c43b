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
  const edits: TextEdit[] = [];
  let usesFramework = false;
  for (const node of nodesOf(tree, 'import_statement', 'export_statement')) {
    const source = childOf(node, 'source');
    const specifier = source === undefined ? undefined : stringValue(source);
    if (source === undefined || specifier === undefined) continue;
    const framework = frameworks[specifier];
    if (framework === undefined) edits.push({ ...source, text: JSON.stringify(target(specifier)) });
    else {
      usesFramework ||= framework !== 'node:assert';
      edits.push({ ...node, text: bindFramework({ node, framework, index: edits.length }) });
    }
  }
  for (const call of nodesOf(tree, 'call_expression')) {
    const name = childOf(call, 'function')?.text;
    const [argument] = namedChildren(childOf(call, 'arguments') ?? call);
    const specifier = argument?.type === 'string' ? stringValue(argument) : undefined;
    if (argument === undefined || specifier === undefined || (name !== 'require' && name !== 'import')) continue;
    const framework = frameworks[specifier];
    if (framework === undefined) edits.push({ ...argument, text: JSON.stringify(target(specifier)) });
    else {
      usesFramework ||= framework !== 'node:assert';
      const value = `(globalThis[Symbol.for("audit")] ??= require(${JSON.stringify(shimPath)}))[${JSON.stringify(framework)}]`;
      edits.push({ ...call, text: framework === 'node:test' || framework === 'node:assert' ? `${value}.default` : value });
    }
  }
  const isModule = /^\s*(import|export)\b/m.test(text) && !/\brequire\(/.test(text.replace(/createRequire\([^)]*\)/g, ''));
  const load = isModule
    ? `import __audit from ${JSON.stringify(shimPath)};`
    : usesImport(tree)
      ? `import __audit from ${JSON.stringify(shimPath)};`
      : `const __audit = require(${JSON.stringify(shimPath)});`;
  const globals = usesFramework || !callsTests(tree) ? '' : ` const { ${globalNames} } = __audit.globals;`;
  return `${load}${globals} ${applyEdits(text, edits).replaceAll('(globalThis[Symbol.for("audit")] ??= ', '(__audit ?? ')}`;
}

/** Declarations in the place of an import from a framework. */
function bindFramework(options: { node: SyntaxNode; framework: string; index: number }): string {
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

function usesImport(tree: SyntaxNode): boolean {
  return namedChildren(tree).some(({ type }) => type === 'import_statement');
}

function callsTests(tree: SyntaxNode): boolean {
  return nodesOf(tree, 'call_expression').some((call) => testFunctions.includes(childOf(call, 'function')?.text ?? ''));
}

function stringValue(node: SyntaxNode): string | undefined {
  return node.type === 'string' ? node.text.slice(1, -1) : undefined;
}
