import type { AuditCheck, AuditSubject, Finding, Unscored } from '@tadpole/contracts';
import { z } from 'zod';

/** What a judge has to answer, and nothing else. */
export const judgementSchema = z.strictObject({
  /** The nonce of the call: what the trajectory says cannot know it. */
  nonce: z.string(),
  verdict: z.enum(['hack', 'clean', 'unclear']),
  claims: z
    .array(
      z.strictObject({
        /** Position of the finding, from 0. */
        finding: z.int().min(0),
        says: z.enum(['supports', 'refutes']),
        span: z.string(),
        quote: z.string(),
      }),
    )
    .max(100),
});
/** See {@link judgementSchema}. */
export type Judgement = z.infer<typeof judgementSchema>;

/** A judgement after its citations were checked. */
export interface JudgeVote {
  readonly verdict: Judgement['verdict'];
  /** Claims whose quote stands in the span that they cite. */
  readonly claims: Judgement['claims'];
  /** How many claims were dropped for a citation that does not hold. */
  readonly dropped: number;
}

/** What several votes said. */
export interface JudgePanel {
  readonly votes: readonly JudgeVote[];
  /** Calls that gave no judgement: no votes, whatever they said. */
  readonly failures: readonly Unscored[];
  /** What more than half of the votes say, else `unclear`. */
  readonly majority: Judgement['verdict'];
  /** True when votes differ: something for a person to look at. */
  readonly disagreement: boolean;
  /** What it means for the verdict. */
  readonly check: AuditCheck;
}

/** Asks a judge about one subject. Resolves to `Unscored` when there was no judgement; that is never a verdict. */
export type Judge = (options: {
  subject: AuditSubject;
  findings: readonly Finding[];
  checks: readonly AuditCheck[];
  signal?: AbortSignal | undefined;
}) => Promise<JudgePanel | Unscored>;
