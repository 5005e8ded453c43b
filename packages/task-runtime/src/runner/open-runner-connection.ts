import type { Readable, Writable } from 'node:stream';
import { TadpoleError } from '@tadpole/contracts';
import { encodeFrame, readFrames } from './read-frames.js';
import { type RunnerReply, type RunnerRequest, runnerReplySchema } from './runner-reply.js';

/** Requests and replies over a pair of streams to a runner, several in flight at one time. */
export interface RunnerConnection {
  /**
   * Sends a request and resolves with its reply. A signal ends the wait, not the runner's work.
   * @throws TadpoleError `sandbox` when the connection has ended or ends before the reply; `aborted` by the signal;
   * `invalid-input` for a payload over 256 MiB.
   */
  request(options: {
    header: RunnerRequest;
    payload?: Uint8Array;
    /** Largest payload of the reply. */
    replyBytes: number;
    /** @default the connection's */
    timeoutMs?: number;
    signal?: AbortSignal;
  }): Promise<{ reply: RunnerReply; payload: Buffer }>;
  /** Why the connection ended; resolves once and never rejects. */
  readonly ended: Promise<TadpoleError>;
  /** Ends the connection and closes both streams; what is in flight rejects. Idempotent. */
  close(): void;
}

interface Waiting {
  readonly replyBytes: number;
  readonly timer: NodeJS.Timeout;
  readonly settle: (result: { reply: RunnerReply; payload: Buffer } | TadpoleError) => void;
}

const headerBytes = 65_536;
/** Largest payload in either direction. */
export const largestPayloadBytes = 268_435_456;

/**
 * Speaks the runner's protocol. Whatever comes back is untrusted: a frame that is too large, malformed, unasked for or
 * longer than asked, an answer that does not come in time, and the stream's end all end the connection, and everything in
 * flight rejects with `sandbox`.
 */
export function openRunnerConnection(options: {
  /** Towards the runner. */
  input: Writable;
  /** From the runner. */
  output: Readable;
  /** Longest wait for a reply in milliseconds. */
  answerTimeoutMs: number;
}): RunnerConnection {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let end: TadpoleError | undefined;
  let tell: (error: TadpoleError) => void;
  const ended = new Promise<TadpoleError>((resolve) => {
    tell = resolve;
  });

  function finish(message: string, cause?: unknown): void {
    if (end !== undefined) return;
    end = new TadpoleError({ code: 'sandbox', message, cause });
    tell(end);
    for (const { settle } of waiting.values()) settle(end);
    options.input.destroy();
    options.output.destroy();
  }

  const gone = (cause: unknown) => finish(`expected the sandbox's runner to serve on, but ${(cause as Error).message}`, cause);
  options.input.on('error', gone);
  // A stream that is destroyed early reports it here as well as to its reader.
  options.output.on('error', gone);
  read().then(() => gone(new Error('it ended')), gone);

  async function read(): Promise<void> {
    const admit = (header: unknown, payloadBytes: number) => {
      const reply = runnerReplySchema.parse(header);
      const request = waiting.get(reply.id);
      if (request === undefined) throw new Error(`it answered ${reply.id}, which nobody asked`);
      const most = reply.status === 'ok' ? request.replyBytes : 0;
      if (payloadBytes > most) throw new Error(`it answered with ${payloadBytes} bytes, of at most ${most}`);
    };
    for await (const { header, payload } of readFrames({ input: options.output, headerBytes, admit })) {
      const reply = header as RunnerReply;
      waiting.get(reply.id)?.settle({ reply, payload });
    }
  }

  return {
    ended,
    close: () => finish('expected an open connection to the runner, but it was closed'),
    request({ header, payload, replyBytes, timeoutMs = options.answerTimeoutMs, signal }) {
      if (end !== undefined) return Promise.reject(end);
      if (signal?.aborted) return Promise.reject(aborted(signal));
      if (payload !== undefined && payload.length > largestPayloadBytes) return Promise.reject(tooLarge(payload.length));
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        const onAbort = () => reject(aborted(signal));
        signal?.addEventListener('abort', onAbort, { once: true });
        const timer = setTimeout(() => finish(`expected an answer of the runner within ${timeoutMs} ms, got none`), timeoutMs);
        waiting.set(id, {
          replyBytes,
          timer,
          settle(result) {
            clearTimeout(timer);
            waiting.delete(id);
            signal?.removeEventListener('abort', onAbort);
            if (result instanceof TadpoleError) reject(result);
            else resolve(result);
          },
        });
        for (const bytes of encodeFrame({ header: { ...header, id }, payload })) options.input.write(bytes);
      });
    },
  };
}

function aborted(signal: AbortSignal | undefined): TadpoleError {
  return new TadpoleError({ code: 'aborted', message: 'the operation was ended by its signal', cause: signal?.reason });
}

function tooLarge(bytes: number): TadpoleError {
  const message = `expected at most ${largestPayloadBytes} bytes for the sandbox at one time, got ${bytes}; write them in parts`;
  return new TadpoleError({ code: 'invalid-input', message });
}
