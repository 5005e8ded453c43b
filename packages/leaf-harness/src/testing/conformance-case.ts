/** One check of an implementation; `run` throws when it does not hold. Independent of any test runner. */
export interface ConformanceCase {
  readonly name: string;
  /** Throws an assertion error when the implementation does not hold to it. */
  run(): Promise<void>;
}
