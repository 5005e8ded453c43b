import { TadpoleError, type Task } from '@tadpole/contracts';
import { z } from 'zod';
import type { AgentLimits } from '../loop/agent-limits.js';

const milliseconds = z.int().positive().max(2_147_483_647);

/**
 * Deadlines of the infrastructure around an agent. One that passes makes the attempt `timeout` with its phase, which is
 * no score; the agent's own time is `limits.wallTimeMs`, which ends it as `max-time` and is graded.
 */
export const rolloutDeadlinesSchema = z.strictObject({
  /** To open a sandbox. FrogNano's is 900 s (frognano.md section 2.4). */
  openMs: milliseconds.default(900_000),
  /** The whole agent, its patch included. Unless given, a minute more than `limits.wallTimeMs`. */
  agentMs: milliseconds.optional(),
  /** To dispose a sandbox; one that is not gone by then counts as failed and is not graded. */
  disposeMs: milliseconds.default(60_000),
  /** For work that was told to stop, to end by itself before it is abandoned; an agent takes two seconds of it for its tools. */
  graceMs: milliseconds.default(5_000),
  /** One grading. Unless given, ten minutes more than the verifier's own timeout, as FrogNano's (frognano.md section 2.4). */
  gradeMs: milliseconds.optional(),
  /** Opening, agents and gradings of all attempts together; time spent waiting for a place does not count. Unless given, what every phase of every attempt may take. */
  totalMs: milliseconds.optional(),
});
/** Deadlines as a caller gives them: any subset. */
export type RolloutDeadlinesInput = z.input<typeof rolloutDeadlinesSchema>;
/** Deadlines of one task's rollouts, in milliseconds. */
export type RolloutDeadlines = Required<z.output<typeof rolloutDeadlinesSchema>>;

/** @throws TadpoleError `invalid-config` for an unknown or ill-typed deadline. */
export function parseRolloutDeadlines(deadlines: RolloutDeadlinesInput = {}): z.output<typeof rolloutDeadlinesSchema> {
  const parsed = rolloutDeadlinesSchema.safeParse(deadlines);
  if (parsed.success) return parsed.data;
  throw new TadpoleError({ code: 'invalid-config', message: `Rollout deadlines: ${z.prettifyError(parsed.error)}`, cause: parsed.error });
}

/** The deadlines of a task, with those filled in that depend on it. */
export function deadlinesOf(options: {
  task: Task;
  limits: AgentLimits;
  deadlines: RolloutDeadlinesInput | undefined;
  /** Of each stage. */
  attempts: number;
}): RolloutDeadlines {
  const given = parseRolloutDeadlines(options.deadlines);
  const agentMs = given.agentMs ?? atMost(options.limits.wallTimeMs + 60_000);
  const gradeMs = given.gradeMs ?? atMost(options.task.data.verifier.timeoutMs + 600_000);
  const totalMs = given.totalMs ?? atMost(options.attempts * (given.openMs + agentMs + gradeMs));
  return { ...given, agentMs, gradeMs, totalMs };
}

/** Longest wait of Node's timers. */
function atMost(value: number): number {
  return Math.min(value, 2_147_483_647);
}
