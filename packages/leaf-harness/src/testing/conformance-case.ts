/** One check of an implementation; `run` throws when it does not hold. Independent of any test runner. */
export interface ConformanceCase {
  readonly name: string;
  run(): Promise<void>;
}
