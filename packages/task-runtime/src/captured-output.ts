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
  let tail: Buffer[] = [];
  let tailLength = 0;
  let droppedBytes = 0;
  return {
    push(chunk) {
      let rest = chunk;
      if (headRoom > 0) {
        const taken = rest.subarray(0, headRoom);
        head.push(Buffer.from(taken));
        headRoom -= taken.length;
        rest = rest.subarray(taken.length);
      }
      if (rest.length === 0) return;
      tail.push(Buffer.from(rest));
      tailLength += rest.length;
      // Trim in batches: at most twice the tail is held at any moment.
      if (tailLength > 2 * options.tailBytes) compact();
    },
    end() {
      compact();
      return { head: Buffer.concat(head), tail: Buffer.concat(tail), droppedBytes };
    },
  };

  function compact(): void {
    if (tailLength <= options.tailBytes) return;
    const joined = Buffer.concat(tail);
    const kept = Buffer.from(joined.subarray(joined.length - options.tailBytes));
    droppedBytes += joined.length - kept.length;
    tail = [kept];
    tailLength = kept.length;
  }
}

/** The text of a captured stream; a line stands where bytes were dropped. */
export function outputText(output: CapturedOutput): string {
  if (output.droppedBytes === 0) return Buffer.concat([output.head, output.tail]).toString('utf8');
  return `${output.head.toString('utf8')}\n[${output.droppedBytes} bytes dropped]\n${output.tail.toString('utf8')}`;
}
