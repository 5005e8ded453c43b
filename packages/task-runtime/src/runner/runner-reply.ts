import { z } from 'zod';

const outputSchema = z.strictObject({
  head: z.int().nonnegative(),
  tail: z.int().nonnegative(),
  droppedBytes: z.int().nonnegative(),
});

/** How a command ended: lengths of the kept parts of its streams, which stand in the payload in this order. */
const runEndSchema = z.strictObject({
  exitCode: z.int().min(0).max(255),
  timedOut: z.boolean(),
  stdout: outputSchema,
  stderr: outputSchema,
});

/** Header of a reply of the runner; `refused` is the system's or a limit's answer, `failed` a fault of the runner. */
export const runnerReplySchema = z.discriminatedUnion('status', [
  z.strictObject({ id: z.int(), status: z.literal('ok'), end: runEndSchema.optional() }),
  z.strictObject({ id: z.int(), status: z.literal('absent') }),
  z.strictObject({ id: z.int(), status: z.enum(['refused', 'failed']), reason: z.string().max(500) }),
]);
/** See {@link runnerReplySchema}. */
export type RunnerReply = z.infer<typeof runnerReplySchema>;

/** Header of a request, without its id. */
export type RunnerRequest =
  | { readonly operation: 'read'; readonly path: string; readonly maximumBytes: number }
  | { readonly operation: 'write'; readonly path: string }
  | { readonly operation: 'glob'; readonly patterns: readonly string[]; readonly folder: string }
  | { readonly operation: 'kill' }
  | {
      readonly operation: 'run';
      readonly arguments: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly uid: number;
      readonly gid: number;
      readonly timeoutMs: number;
      readonly headBytes: number;
      readonly tailBytes: number;
    };
