/** What was kept of a stream: its first and its last bytes, and how many between them were dropped. */
export interface CapturedOutput {
  readonly head: Buffer;
  readonly tail: Buffer;
  readonly droppedBytes: number;
}

/**
 * Keeps the first `headBytes` and the last `tailBytes` of a stream while it is read, so that memory stays
 * bounded however much is written. Nothing is lost while no more than both together arrive.
 */
export function captureOutput(options: { headBytes: number; tailBytes: number }): {
  push(chunk: Buffer): void;
  end(): CapturedOutput;
} {
  const head: Buffer[] = [];
  let headRoom = options.headBytes;
  // A ring, so that a flood leaves no garbage behind.
  let ring: Buffer | undefined;
  let seenBytes = 0;
  return {
    push(chunk) {
      const taken = chunk.subarray(0, headRoom);
      if (taken.length > 0) head.push(Buffer.from(taken));
      headRoom -= taken.length;
      const rest = chunk.subarray(taken.length);
      if (rest.length === 0 || options.tailBytes === 0) {
        seenBytes += rest.length;
        return;
      }
      ring ??= Buffer.allocUnsafe(options.tailBytes);
      const kept = rest.subarray(-ring.length);
      const start = (seenBytes + rest.length - kept.length) % ring.length;
      const copied = kept.copy(ring, start);
      kept.copy(ring, 0, copied);
      seenBytes += rest.length;
    },
    end() {
      const length = Math.min(seenBytes, ring?.length ?? 0);
      const start = ring === undefined || seenBytes <= ring.length ? 0 : seenBytes % ring.length;
      const tail = ring === undefined ? Buffer.alloc(0) : Buffer.concat([ring.subarray(start, length), ring.subarray(0, start)]);
      return { head: Buffer.concat(head), tail, droppedBytes: seenBytes - length };
    },
  };
}

/** The text of a captured stream; a line stands where bytes were dropped. */
export function outputText(output: CapturedOutput): string {
  if (output.droppedBytes === 0) return Buffer.concat([output.head, output.tail]).toString('utf8');
  return `${output.head.toString('utf8')}\n[${output.droppedBytes} bytes dropped]\n${output.tail.toString('utf8')}`;
}
