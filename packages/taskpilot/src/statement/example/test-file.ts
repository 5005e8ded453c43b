import type { Node } from '@vscode/tree-sitter-wasm';

/** What a test file binds by one import: names of the package under test, of the framework, or of something else. */
export interface TestImport {
  readonly statement: Node;
  readonly specifier: string;
  /** `imported` is `null` for the module itself. */
  readonly names: readonly { readonly local: string; readonly imported: string | null }[];
}

/** One test with all code that it can see. */
export interface TestCase {
  /** As the runner reports it. */
  readonly name: string;
  /** The test's own statements. */
  readonly body: readonly Node[];
  /** Statements around it, the file's first. */
  readonly around: readonly (readonly Node[])[];
  /** Names that the framework gives to it: parameters, `self`. */
  readonly given: readonly string[];
}

/** One assertion about a value or an exception, standing by itself in a test's body. */
export interface TestAssertion {
  readonly statement: Node;
  readonly kind: 'value' | 'throws';
  /** Code that is run. */
  readonly call: string;
  readonly callNode: Node;
  /** Code of the expected value, or of what the exception is compared with. */
  readonly expected: string;
  /** Where `expected` stands in the test; absent where the assertion's own name says it. */
  readonly expectedNode?: Node;
  /** True where the assertion is about truth, so that what was seen is the other one. */
  readonly isBoolean?: boolean;
  /** True where values of different types may be equal, if the assertion is not tape's. */
  readonly isLoose?: boolean;
  /** The same assertion for pytest, where the test's own is another framework's. */
  readonly check?: string;
}

/** How a language's test files are read. */
export interface TestReader {
  readonly fence: string;
  /** Names of the frameworks' modules. */
  readonly frameworks: RegExp;
  /** Names that exist without an import and belong to a framework. */
  readonly globals: readonly string[];
  /** True for a module outside of the package that an example may import, false for a helper of the tests. */
  isLibrary(specifier: string): boolean;
  imports(statements: readonly Node[]): TestImport[];
  /** All tests; with a `name`, those that may have it. */
  cases(root: Node, name?: string): TestCase[];
  /** The assertion that a statement is; `null` for every other statement. `framework` has the framework's names. */
  assertion(statement: Node, framework: ReadonlySet<string>): TestAssertion | null;
}
