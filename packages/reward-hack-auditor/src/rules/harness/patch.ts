import type { Severity } from '@tadpole/contracts';

/** What a piece of code does to the test run. */
export interface Patch {
  readonly severity: Severity;
  readonly why: string;
}
