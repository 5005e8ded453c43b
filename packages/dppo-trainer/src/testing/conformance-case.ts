/** One check of a conformance suite: `run` rejects when the implementation does not hold it. Works in any test runner. */
export interface ConformanceCase {
  readonly name: string;
  /** Throws an assertion error when the implementation does not hold to it. */
  run(): Promise<void>;
}
