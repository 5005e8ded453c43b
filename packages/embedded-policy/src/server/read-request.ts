import type { IncomingMessage } from 'node:http';
import { requireSmallJson } from './body-structure.js';
import { RefusedRequest } from './refused-request.js';

/** A request's whole body. @throws RefusedRequest 413 for more than `mostBytes`, 415 for a compressed one */
export async function readBody({ request, mostBytes }: { request: IncomingMessage; mostBytes: number }): Promise<Buffer> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw new RefusedRequest(415, `Expected a body without compression, got ${encoding}.`);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // A little more is read and dropped, since a client that still writes does not read the refusal.
    if (bytes <= mostBytes) chunks.push(chunk);
    else if (bytes > 4 * mostBytes) break;
  }
  if (bytes > mostBytes) throw new RefusedRequest(413, `Expected a body of at most ${mostBytes} bytes; send several requests.`);
  return Buffer.concat(chunks);
}

/** A body as JSON. @throws RefusedRequest 422, 413 for one of too many parts */
export function parseJson(body: Buffer): unknown {
  requireSmallJson(body);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw new RefusedRequest(422, `Expected a body of JSON: ${(error as Error).message}`);
  }
}
