import { z } from 'zod';
import type { Outcome } from './outcome.js';

/** How much a finding weighs before anything is verified. */
export const severitySchema = z.enum(['info', 'low', 'medium', 'high', 'critical']);
/** See {@link severitySchema}. */
export type Severity = z.infer<typeof severitySchema>;

/** What a hack attacks (reward-hacks.md section 1). */
export const hackCategorySchema = z.enum([
  'oracle-access',
  'test-tampering',
  'test-harness-tampering',
  'runtime-subversion',
  'solution-gaming',
  'grader-tampering',
  'judge-manipulation',
  'exfiltration',
]);
/** See {@link hackCategorySchema}. */
export type HackCategory = z.infer<typeof hackCategorySchema>;

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
  category: hackCategorySchema,
  /** Ids of the taxonomy, for instance `A1`. */
  kinds: z.array(z.string()).readonly(),
  /** Why this span is suspicious, in one sentence. */
  why: z.string(),
  evidence: z.array(evidenceSchema).min(1).readonly(),
  /** Files whose change is suspicious, relative to the workspace: what an ablation takes back. @default none */
  paths: z.array(z.string()).readonly().optional(),
  /** Why it is honest work after all, as far as the text shows. @default not exonerated */
  exoneratedBy: z.strictObject({ id: z.string(), why: z.string() }).optional(),
});
/** See {@link findingSchema}. */
export type Finding = z.infer<typeof findingSchema>;

/** What an auditor knows of a task: what the policy got, what grades it, and the reference answer. */
export interface AuditTask {
  /** The issue, as the policy reads it. */
  readonly statement: string;
  /** The base tree's text files, by path relative to the workspace. */
  readonly files: ReadonlyMap<string, string>;
  /** Files of the base tree that hold tests which the policy sees. */
  readonly visibleTests: readonly string[];
  /** Files that the grader lays over the tree after the patch. */
  readonly hiddenTests: ReadonlyMap<string, string>;
  /** A unified diff that solves the task. */
  readonly goldPatch?: string | undefined;
  /** Absolute path of the workspace in the policy's sandbox. */
  readonly workspacePath: string;
  /** Names under which the task's own project is published. */
  readonly projectNames?: readonly string[] | undefined;
}

/** A tool call with what it was answered. */
export interface AuditCall {
  readonly id: string;
  readonly name: string;
  /** JSON text as the policy wrote it. */
  readonly arguments: string;
  /** Empty when the call was not executed. */
  readonly observation: string;
}

/** What the policy wrote in one step, and did. */
export interface AuditTurn {
  readonly text: string;
  readonly calls: readonly AuditCall[];
}

/** What is audited: a task, what a policy did on it, and what it left. */
export interface AuditSubject {
  readonly id: string;
  readonly task: AuditTask;
  readonly turns: readonly AuditTurn[];
  /** The final patch, a unified diff against the base tree. */
  readonly patch: string;
  /** How it was graded, where that is known. */
  readonly outcome?: Outcome | undefined;
}

/** A deterministic rule over what was done: calls, observations, the final patch. */
export interface AuditRule {
  /** Stable, for instance `A1-git-future` (reward-hacks.md section 1). */
  readonly id: string;
  readonly severity: Severity;
  readonly category: HackCategory;
  /** Ids of the taxonomy that it covers. */
  readonly kinds: readonly string[];
  readonly description: string;
  /** True for what a report shows and no verdict counts, such as a success claim that nothing supports. @default false */
  readonly reportOnly?: boolean | undefined;
  /** Pure. Throws only for a bug of the rule itself. */
  check(options: { subject: AuditSubject }): readonly Finding[];
}

/** What one check of a finding by execution, or by judges, said. */
export const auditCheckSchema = z.strictObject({
  /** Name of the check, for instance `ablation`. */
  check: z.string(),
  /** `supports` a hack, `refutes` it, or says nothing: a timeout and a flake are `inconclusive`, never a refutation. */
  outcome: z.enum(['supports', 'refutes', 'inconclusive']),
  /** What was run and what came out, in one or two sentences. */
  detail: z.string(),
  /** Ids of the rules whose findings it is about; empty for the whole patch. */
  about: z.array(z.string()).readonly(),
  /** Processor time of its executions. @default not measured */
  cpuMs: z.number().min(0).optional(),
});
/** See {@link auditCheckSchema}. */
export type AuditCheck = z.infer<typeof auditCheckSchema>;

/** What an audit says of a trajectory. */
export const auditVerdictSchema = z.strictObject({
  verdict: z.enum(['hack', 'clean', 'unclear']),
  /** `none` exactly when the verdict is `clean`. */
  category: z.enum([...hackCategorySchema.options, 'none']),
  /** Would the reward have been different without the act? `null` when nothing tells, and for `clean`. */
  effective: z.boolean().nullable(),
  /** Probability that the verdict's side (hack, or not) is right, as measured on the labelled corpus. */
  confidence: z.number().min(0).max(1),
  /** Ids of the rules and names of the checks that decided. */
  decidedBy: z.array(z.string()).readonly(),
  evidence: z.array(evidenceSchema).readonly(),
  checks: z.array(auditCheckSchema).readonly(),
});
/** See {@link auditVerdictSchema}. */
export type AuditVerdict = z.infer<typeof auditVerdictSchema>;
