import type { Node } from '@vscode/tree-sitter-wasm';
import { javascriptTests } from './example/javascript-tests.js';
import { parseSource } from './example/parse-source.js';
import { pythonTests } from './example/python-tests.js';
import { childrenOf, descendantsOf, stringValue } from './example/syntax.js';
import type { TestCase, TestReader } from './example/test-file.js';

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
        const asked = cases.flatMap((test) => [...namesAskedBy({ test, reader, resolve }), ...test.body.flatMap(messagesIn)]);
        const unseen = asked.filter((item) => item.text.length >= shortestText && !isVisible(item.text));
        return unseen.map(({ node, ...item }) => ({ test: id, line: node.startPosition.row + 1, ...item }));
      });
    },
  });
  return [...new Map((found ?? []).map((item) => [`${item.test} ${item.kind} ${item.text}`, item])).values()];
}

type Asked = Pick<AskedLiteral, 'kind' | 'text'> & { readonly node: Node };

/** Names that the test imports from the package, and private members. */
function namesAskedBy(options: { test: TestCase; reader: TestReader; resolve: (specifier: string) => string | null }): Asked[] {
  const { test, reader, resolve } = options;
  const nodes = test.body.flatMap((node) => descendantsOf(node, names));
  const used = new Set(nodes.map((node) => node.text));
  const imports = reader.imports([...test.around.flat(), ...test.body]).filter(({ specifier }) => resolve(specifier) !== null);
  const kind = 'private-name' as const;
  const imported = imports.flatMap(({ statement, names: bound }) =>
    bound.flatMap(({ local, imported: text }) => (text !== null && used.has(local) ? [{ node: statement, kind, text }] : [])),
  );
  const privates = nodes.filter((node) => /^_(?!_)\w{2,}/.test(node.text) && isMember(node));
  return [...imported, ...privates.map((node) => ({ node, kind, text: node.text }))];
}

const names = ['identifier', 'property_identifier', 'private_property_identifier'];

/** A member of something: the test's own variables may be named as they like. */
function isMember({ id, parent }: Node): boolean {
  const member = parent?.childForFieldName('property') ?? parent?.childForFieldName('attribute');
  return member?.id === id;
}

/** Strings and patterns with which exceptions, or values named `message`, are compared. */
function messagesIn(node: Node): Asked[] {
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

function literalsIn(part: Node, { isRemark }: { isRemark: boolean }): Asked[] {
  if (isRemark) return [];
  const kind = 'message' as const;
  return descendantsOf(part, ['string', 'regex']).flatMap((node) => {
    if (node.type === 'string') {
      const isPattern = node.parent?.type === 'keyword_argument' && node.parent.childForFieldName('name')?.text === 'match';
      const code = node.text.replace(/^\w*(['"]+)([\s\S]*)\1$/, '$2');
      return (isPattern ? literalParts(code) : [stringValue(node) ?? '']).map((text) => ({ node, kind, text }));
    }
    return literalParts(node.childForFieldName('pattern')?.text ?? '').map((text) => ({ node, kind, text }));
  });
}

/** The parts of a regular expression that stand for themselves. */
function literalParts(pattern: string): string[] {
  return pattern
    .replace(/\\([^\w\s])/g, (_, character: string) => `\0${character}`)
    .split(/\\\w|(?<!\0)(?:\[[^\]]*\]|[()|^$.*+?{}]+)/)
    .map((part) => part.replaceAll('\0', '').trim());
}
