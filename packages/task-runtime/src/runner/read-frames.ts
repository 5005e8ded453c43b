/** A message of the runner's protocol: a JSON header and raw bytes, after their two lengths (32 bits, big-endian). */
export interface Frame {
  readonly header: unknown;
  readonly payload: Buffer;
}

const lengthBytes = 8;

/** The bytes of a frame. */
export function encodeFrame(options: { header: unknown; payload?: Uint8Array }): readonly Uint8Array[] {
  const text = Buffer.from(JSON.stringify(options.header));
  const payload = options.payload ?? new Uint8Array();
  const lengths = Buffer.alloc(lengthBytes);
  lengths.writeUInt32BE(text.length, 0);
  lengths.writeUInt32BE(payload.length, 4);
  return [Buffer.concat([lengths, text]), payload];
}

/**
 * Reads frames from an untrusted stream. No more is buffered than one header of at most `headerBytes` and one payload that
 * `admit` has let pass by its header and length.
 *
 * @throws Error when a frame is too large, is no JSON, is not admitted, or when the stream ends inside one.
 */
export async function* readFrames(options: {
  input: AsyncIterable<Uint8Array>;
  headerBytes: number;
  admit: (header: unknown, payloadBytes: number) => void;
}): AsyncGenerator<Frame, void> {
  let chunks: Uint8Array[] = [];
  let length = 0;
  let next: { wanted: number; header?: unknown; payloadBytes: number; part: 'lengths' | 'header' | 'payload' } = start();
  for await (const chunk of options.input) {
    chunks.push(chunk);
    length += chunk.length;
    while (length >= next.wanted) {
      const bytes = take(next.wanted);
      if (next.part === 'lengths') {
        const wanted = bytes.readUInt32BE(0);
        if (wanted > options.headerBytes) throw new Error(`expected a header of at most ${options.headerBytes} bytes, got ${wanted}`);
        next = { part: 'header', wanted, payloadBytes: bytes.readUInt32BE(4) };
      } else if (next.part === 'header') {
        const header: unknown = JSON.parse(bytes.toString('utf8'));
        options.admit(header, next.payloadBytes);
        next = { part: 'payload', wanted: next.payloadBytes, header, payloadBytes: next.payloadBytes };
      } else {
        yield { header: next.header, payload: bytes };
        next = start();
      }
    }
  }
  if (length > 0 || next.part !== 'lengths') throw new Error('the stream ended inside a frame');

  function start(): typeof next {
    return { part: 'lengths', wanted: lengthBytes, payloadBytes: 0 };
  }

  function take(count: number): Buffer {
    const all = Buffer.concat(chunks);
    chunks = all.length > count ? [all.subarray(count)] : [];
    length -= count;
    return all.subarray(0, count);
  }
}
