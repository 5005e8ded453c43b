import type { Node } from '@vscode/tree-sitter-wasm';
import { javascriptTests } from './example/javascript-tests.js';
import { parseSource } from './example/parse-source.js';
import { pythonTests } from './example/python-tests.js';
import { scopeOf } from './example/slice-example.js';
import { childrenOf, descendantsOf, stringValue } from './example/syntax.js';

/** Something that a hidden test asks for by its exact text. */
export interface AskedLiteral {
  /** Id of the test. */
  readonly test: string;
  /** 1-based line of the test file. */
  readonly line: number;
  readonly kind: 'message' | 'private-name';
  readonly text: string;
}

/** Shorter texts stand everywhere. In UTF-16 units. */
const shortestText = 4;

/**
 * Finds what tests ask for by exact text that an agent cannot know: messages of exceptions (as a string, or the literal
 * parts of a pattern) and private names (that begin with `_`, or are imported from the package) that no visible text holds.
 * Read from the syntax tree of JavaScript, TypeScript and Python tests. Not covered: messages that the test makes at run time,
 * other exact values, and files that cannot be parsed.
 */
export async function lintTests(options: {
  file: string;
  text: string;
  /** Tests to look at, all of this file. */
  tests: readonly { readonly id: string; readonly name: string }[];
  /** The package's module that a specifier means, see `createModuleResolver`. */
  resolve: (specifier: string) => string | null;
  /** Whether the statement or the agent's tree holds a text. */
  isVisible: (text: string) => boolean;
}): Promise<readonly AskedLiteral[]> {
  const { file, text, tests, resolve, isVisible } = options;
  const found = await parseSource({
    file,
    text,
    read(root, language) {
      const reader = language === 'python' ? pythonTests : javascriptTests;
      return tests.flatMap(({ id, name }) => {
        const cases = reader.cases(root, name).filter((test) => test.name === name);
        return cases.flatMap((test) => {
          const { imports } = scopeOf({ reader, test, resolve });
          const used = new Set(test.body.flatMap((node) => descendantsOf(node, names)).map((node) => node.text));
          const imported = imports
            .filter(({ specifier }) => resolve(specifier) !== null)
            .flatMap((item) =>
              item.names.flatMap(({ local, imported: name }) =>
                name !== null && used.has(local) ? [{ node: item.statement, text: name }] : [],
              ),
            );
          const privates = test.body
            .flatMap((node) => descendantsOf(node, names))
            .filter((node) => /^_(?!_)\w{2,}/.test(node.text) && isMember(node));
          const asked = [
            ...[...imported, ...privates.map((node) => ({ node, text: node.text }))].map((item) => ({
              ...item,
              kind: 'private-name' as const,
            })),
            ...test.body.flatMap(messagesIn).map((item) => ({ ...item, kind: 'message' as const })),
          ];
          const unseen = asked.filter((item) => item.text.length >= shortestText && !isVisible(item.text));
          return unseen.map(({ node, kind, text: literal }) => ({ test: id, line: node.startPosition.row + 1, kind, text: literal }));
        });
      });
    },
  });
  return [...new Map((found ?? []).map((item) => [`${item.test} ${item.kind} ${item.text}`, item])).values()];
}

const names = ['identifier', 'property_identifier', 'private_property_identifier'];

/** A member of something: the test's own variables may be named as they like. */
function isMember({ id, parent }: Node): boolean {
  const member = parent?.childForFieldName('property') ?? parent?.childForFieldName('attribute');
  return member?.id === id;
}

/** Strings and patterns with which exceptions, or values named `message`, are compared. */
function messagesIn(node: Node): { node: Node; text: string }[] {
  return descendantsOf(node, ['call_expression', 'call', 'comparison_operator']).flatMap((call) => {
    const method = call.childForFieldName('function')?.text.split('.').at(-1) ?? '';
    const parts = call.type === 'comparison_operator' ? childrenOf(call) : childrenOf(call.childForFieldName('arguments'));
    const isThrow = /^(throws|rejects|throw|toThrow|toThrowError|raises|assertRaises|assertRaisesRegex)$/.test(method);
    const isOfMessage = parts.some((part) => /(\.message|\.args\[0\]|^str\(\w+(\.value)?\))$/.test(part.text));
    const isExpectation = /\.message\)\.(\w+\.)*\w+$/.test(call.childForFieldName('function')?.text ?? '');
    if (!isThrow && !isOfMessage && !isExpectation) return [];
    const compared = isThrow ? parts.filter((part) => !/function/.test(part.type)) : parts;
    // What stands behind the last argument of a throwing assertion is the test's own remark.
    return compared
      .slice(0, isThrow ? 2 : 3)
      .flatMap((part, index) => literalsIn(part, { isRemark: isThrow && index > 0 && part.type === 'string' }));
  });
}

function literalsIn(part: Node, { isRemark }: { isRemark: boolean }): { node: Node; text: string }[] {
  if (isRemark) return [];
  return descendantsOf(part, ['string', 'regex']).flatMap((node) => {
    if (node.type === 'string') {
      const isPattern = node.parent?.type === 'keyword_argument' && node.parent.childForFieldName('name')?.text === 'match';
      const code = node.text.replace(/^\w*(['"]+)([\s\S]*)\1$/, '$2');
      return (isPattern ? literalParts(code) : [stringValue(node) ?? '']).map((text) => ({ node, text }));
    }
    return literalParts(node.childForFieldName('pattern')?.text ?? '').map((text) => ({ node, text }));
  });
}

/** The parts of a regular expression that stand for themselves. */
function literalParts(pattern: string): string[] {
  return pattern
    .replace(/\\([^\w\s])/g, (_, character: string) => `\0${character}`)
    .split(/\\\w|(?<!\0)(?:\[[^\]]*\]|[()|^$.*+?{}]+)/)
    .map((part) => part.replaceAll('\0', '').trim());
}
