/** One thing that was looked for. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** What was found, or what is missing and how to get it. */
  readonly detail: string;
}
