import { createSessionResponseSchema } from '@tadpole/contracts/tinker';
import { TinkerFailure } from './tinker-failure.js';
import type { Transport } from './tinker-transport.js';

/** A client's session with a server, kept alive until it is closed. */
export interface TinkerSession {
  readonly id: string;
  /** Stops the heartbeats; idempotent. */
  close(): void;
}

/** Servers unload what missed its heartbeats for five minutes. */
const heartbeatMs = 10_000;

/** Opens a session and keeps it alive. @throws TinkerFailure; TadpoleError `aborted` */
export async function openTinkerSession(options: {
  transport: Transport;
  /** Told that a heartbeat failed; the next one is tried all the same. */
  onHeartbeatFailure?: ((error: unknown) => void) | undefined;
  /** Calls `beat` again and again; returns what ends it. @default every 10 s, without keeping the process alive */
  every?: ((beat: () => Promise<void>) => () => void) | undefined;
  signal?: AbortSignal | undefined;
}): Promise<TinkerSession> {
  const { transport, onHeartbeatFailure, every = everyTenSeconds, signal } = options;
  const body = { tags: ['tadpole'], user_metadata: null, sdk_version: 'tadpole', type: 'create_session' };
  const answer = await transport({ path: '/create_session', json: body, signal });
  const parsed = createSessionResponseSchema.safeParse(answer.json);
  if (!parsed.success)
    throw new TinkerFailure({ kind: 'malformed', message: 'expected the id of a session from create_session, got another form' });
  const { session_id: id, error_message: refusal } = parsed.data;
  if (refusal) throw new TinkerFailure({ kind: 'refused', message: `create_session was refused: ${refusal.slice(0, 300)}` });
  const close = every(async () => {
    try {
      await transport({ path: '/session_heartbeat', json: { session_id: id, type: 'session_heartbeat' }, signal });
    } catch (error) {
      onHeartbeatFailure?.(error);
    }
  });
  return { id, close };
}

function everyTenSeconds(beat: () => Promise<void>): () => void {
  const timer = setInterval(() => void beat(), heartbeatMs).unref();
  return () => clearInterval(timer);
}
