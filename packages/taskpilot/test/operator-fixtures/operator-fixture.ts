/** What one operator does in one language. Code stands inside a function, `top` alone. */
export interface OperatorFixture {
  /** Source and all its mutated forms. */
  readonly mutates: readonly [string, ...string[]];
  /** Source that looks alike and has no mutated form. */
  readonly keeps: string;
  /** @default the code is the body of a function */
  readonly at?: 'top';
}

/** By the operator's name; an operator that the language has no role for is missing. */
export type OperatorFixtures = Readonly<Record<string, OperatorFixture>>;
