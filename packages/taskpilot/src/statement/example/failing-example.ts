/**
 * What goes wrong with an example: `value` (another value), `type` (a string in the place of another kind of value, or the
 * other way round), `error` (an exception where a value is owed), `no-error` and `other-error` (no exception, or another one, where one is
 * owed), `hang` (no end).
 */
export type ExampleOutcome = 'value' | 'type' | 'error' | 'no-error' | 'other-error' | 'hang';

/** A failing input with what it gives and what it should give, as code that a reader can run. */
export interface FailingExample {
  /** Statements that the call needs, without words of a test framework; may be empty. */
  readonly setup: string;
  /** The expression that fails. */
  readonly call: string;
  /** Code of the value that is owed, or of the exception's class or pattern. */
  readonly expected: string;
  /** As the runner printed it: the value, or the exception's message. Absent for `no-error` and `hang`. */
  readonly observed?: string;
  /** Public name of the package, as the code writes it: `range`, or `qs.parse` for a member of a module's value. */
  readonly entryPoint: string;
  /** Path of the module that gives it; empty for the package's own main module where that is no listed source. */
  readonly module: string;
  /** The name by which the code knows the module's whole value, where it does. */
  readonly moduleName?: string;
  readonly outcome: ExampleOutcome;
  /** Language of the code, as Markdown names it. */
  readonly fence: string;
}

/** An assertion of a failing test that may be the failing one, with all that is needed to run it by itself. */
export interface ExampleCandidate {
  /** What is known before it is run. */
  readonly example: Omit<FailingExample, 'observed' | 'outcome'>;
  readonly kind: 'value' | 'throws';
  readonly isBoolean: boolean;
  /** True where the test gives the expected value first, so that the runner prints both the wrong way round. */
  readonly isSwapped: boolean;
  /** Import statements that it needs, the framework's among them. */
  readonly imports: readonly string[];
  /** Statements that `check` needs: those of the example, and what gives the expected value a name. */
  readonly setup: string;
  readonly check: string;
  /** False where `check` is not the test's own assertion, whose message then says something else. */
  readonly isOwnCheck: boolean;
  /** Name of the test's first parameter, which `check` may use. */
  readonly parameter?: string;
  readonly isEsModule: boolean;
}
