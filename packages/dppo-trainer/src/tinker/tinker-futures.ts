import { futureSchema, requestFailedSchema, tryAgainSchema } from '@tadpole/contracts/tinker';
import type { z } from 'zod';
import { TinkerFailure } from './tinker-failure.js';
import type { TinkerAnswer, Transport } from './tinker-transport.js';

/** Reads a result; `fromProtobuf` where it may come as bytes. */
export interface ResultReader<Schema extends z.ZodType> {
  readonly schema: Schema;
  readonly fromProtobuf?: (bytes: Uint8Array) => z.infer<Schema>;
}

/** Takes the answer to a submit apart. @throws TinkerFailure `malformed` */
export function requestIdOf(answer: TinkerAnswer): { readonly requestId: string; readonly modelId: string | undefined } {
  const parsed = futureSchema.safeParse(answer.json);
  if (!parsed.success) throw new TinkerFailure({ kind: 'malformed', message: `expected the id of a request, got ${excerpt(answer.json)}` });
  return { requestId: parsed.data.request_id, modelId: parsed.data.model_id ?? undefined };
}

/**
 * Polls until a request's result is there.
 *
 * @throws TinkerFailure of every kind of section 1.3; `stuck` when `stuckMs` have passed by `now`. TadpoleError `aborted`.
 */
export async function retrieveResult<Schema extends z.ZodType>(options: {
  transport: Transport;
  requestId: string;
  reader: ResultReader<Schema>;
  stuckMs: number;
  /** Milliseconds. */
  now: () => number;
  /** Told what a server says of its queue while the result is not there. */
  onQueueState?: ((state: string) => void) | undefined;
  signal: AbortSignal | undefined;
}): Promise<z.infer<Schema>> {
  const { transport, requestId, reader, stuckMs, now, onQueueState, signal } = options;
  const startedMs = now();
  for (;;) {
    const answer = await transport({
      ...{ path: '/retrieve_future', json: { request_id: requestId }, expected: [400, 408], signal },
      ...(reader.fromProtobuf === undefined ? {} : { takesProtobuf: true }),
    });
    if (answer.protobuf !== undefined && reader.fromProtobuf !== undefined) return reader.fromProtobuf(answer.protobuf);
    requireNoFailure(answer);
    const again = tryAgainSchema.safeParse(answer.json);
    if (answer.status !== 408 && !again.success) return readResult({ answer, reader });
    const state = again.data?.queue_state;
    if (state) onQueueState?.(state);
    if (now() - startedMs >= stuckMs)
      throw new TinkerFailure({
        kind: 'stuck',
        message: `request ${requestId} has no result after ${stuckMs} ms${state ? ` (${state})` : ''}`,
      });
  }
}

function requireNoFailure({ status, json }: TinkerAnswer): void {
  // A server that fails an operation may say so by this status, though the request for its result was right.
  if (status === 400) throw new TinkerFailure({ kind: 'failed', status, message: `the operation failed: ${excerpt(json)}` });
  const failed = requestFailedSchema.safeParse(json);
  if (!failed.success) return;
  const { category, error } = failed.data;
  throw new TinkerFailure({ kind: 'failed', message: `the operation failed (${category}): ${error.slice(0, 500)}` });
}

function readResult<Schema extends z.ZodType>({ answer, reader }: { answer: TinkerAnswer; reader: ResultReader<Schema> }): z.infer<Schema> {
  const parsed = reader.schema.safeParse(answer.json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue === undefined ? '' : `${issue.path.join('.')}: ${issue.message}; `;
  throw new TinkerFailure({
    kind: 'malformed',
    message: `expected the result of the operation, got another form (${where}${excerpt(answer.json)})`,
  });
}

function excerpt(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 300);
}
