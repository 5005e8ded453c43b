import protobuf from 'protobufjs/light.js';
import { RefusedRequest } from './refused-request.js';

/** Objects, lists and keys of a JSON body; the largest request of the protocol, 1,024 data, has a sixth of it. */
const mostParts = 2 ** 18;
/** Values of a JSON body: six lists of as many numbers as a request may have tokens, and more. */
const mostValues = 2 ** 23;
/** Bytes of a protobuf body outside of its numbers; 1,024 data have a tenth of it. */
const mostStructureBytes = 2 ** 21;

const [brace, bracket, colon, comma] = [...'{[:,'].map((mark) => mark.charCodeAt(0));

/**
 * Refuses JSON that a parser would turn into many times its size, `{},{},…`, and reads no further than it takes to say so. Marks within
 * strings count too. @throws RefusedRequest 413
 */
export function requireSmallJson(body: Iterable<number>): void {
  let parts = 0;
  let values = 0;
  for (const byte of body) {
    if (byte === comma) {
      values += 1;
      if (values > mostValues) throw new RefusedRequest(413, `Expected at most ${mostValues} values, got more; send several requests.`);
    } else if (byte === brace || byte === bracket || byte === colon) {
      parts += 1;
      if (parts > mostParts)
        throw new RefusedRequest(413, `Expected at most ${mostParts} objects, lists and keys, got more; send several requests.`);
    }
  }
}

/** Fields of each message that hold another message of a `ForwardBackwardRequest`, or its numbers. */
const messages = {
  request: { 3: 'datum' },
  datum: { 1: 'chunk', 2: 'entry' },
  chunk: { 1: 'text' },
  text: { 1: 'numbers' },
  entry: { 2: 'tensor' },
  tensor: { 1: 'numbers' },
} as const satisfies Record<string, Readonly<Record<number, string>>>;

/** Refuses a `ForwardBackwardRequest` of many small messages. @throws RefusedRequest 413, or 422 for bytes that are no protobuf */
export function requireSmallProtobuf(body: Uint8Array): void {
  const structure = body.length - numberBytes({ reader: protobuf.Reader.create(body), end: body.length, message: 'request' });
  if (structure > mostStructureBytes)
    throw new RefusedRequest(413, `Expected at most ${mostStructureBytes} bytes beside numbers, got ${structure}; send several requests.`);
}

function numberBytes(options: { reader: protobuf.Reader; end: number; message: keyof typeof messages }): number {
  const { reader, end, message } = options;
  const fields: Readonly<Record<number, keyof typeof messages | 'numbers'>> = messages[message];
  let bytes = 0;
  while (reader.pos < end) {
    const tag = reader.uint32();
    if ((tag & 7) !== 2) {
      reader.skipType(tag & 7);
      continue;
    }
    const length = reader.uint32();
    const stop = reader.pos + length;
    if (stop > end) throw new RangeError('a field is longer than its message');
    const inner = fields[tag >>> 3];
    if (inner === 'numbers') bytes += length;
    else if (inner !== undefined) bytes += numberBytes({ reader, end: stop, message: inner });
    reader.pos = stop;
  }
  return bytes;
}
