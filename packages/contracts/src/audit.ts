import { z } from 'zod';
import type { Task } from './task.js';
import type { Trajectory } from './trajectory.js';

/** How much a finding weighs before anything is verified. */
export const severitySchema = z.enum(['info', 'low', 'medium', 'high', 'critical']);
/** See {@link severitySchema}. */
export type Severity = z.infer<typeof severitySchema>;

/** Where a finding's evidence stands; `start` and `end` are UTF-16 offsets in that text. */
export const evidenceSchema = z
  .strictObject({
    source: z.enum(['tool-call', 'observation', 'message', 'patch']),
    /** 0-based; absent for the patch. */
    turn: z.int().min(0).optional(),
    /** 0-based position of the call in its turn. */
    call: z.int().min(0).optional(),
    start: z.int().min(0),
    end: z.int().min(0),
    quote: z.string(),
  })
  .refine((evidence) => evidence.start <= evidence.end, { message: 'expected start at or before end' });
/** See {@link evidenceSchema}. */
export type Evidence = z.infer<typeof evidenceSchema>;

/** What a rule saw: a screen, not a verdict. */
export const findingSchema = z.strictObject({
  ruleId: z.string(),
  severity: severitySchema,
  /** Why this span is suspicious, in one sentence. */
  why: z.string(),
  evidence: z.array(evidenceSchema).min(1).readonly(),
});
/** See {@link findingSchema}. */
export type Finding = z.infer<typeof findingSchema>;

/** A deterministic rule over what was done: calls, observations, the final patch. */
export interface AuditRule {
  /** Stable, for instance `A1-git-future` (reward-hacks.md section 1). */
  readonly id: string;
  readonly severity: Severity;
  readonly description: string;
  /** Pure. Throws only for a bug of the rule itself. */
  check(options: { task: Task; trajectory: Trajectory; patch: string }): readonly Finding[];
}
