import type { IncomingMessage } from 'node:http';
import { requireSmallJson } from './body-structure.js';
import type { Budget } from './budget.js';
import { RefusedRequest } from './refused-request.js';

const smallBytes = 65_536;

/**
 * A request's whole body, once `reading` has room for it.
 * @throws RefusedRequest 413 for more than `mostBytes`, 415 for a compressed one, 429 where too much is read at this time
 */
export async function readBody(options: { request: IncomingMessage; mostBytes: number; reading: Budget }): Promise<Buffer> {
  const { request, mostBytes, reading } = options;
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw new RefusedRequest(415, `Expected a body without compression, got ${encoding}.`);
  const announced = Number(request.headers['content-length'] ?? (request.headers['transfer-encoding'] === undefined ? 0 : mostBytes));
  // Small ones are always read, so that results can be fetched while large ones are refused.
  const release = announced <= smallBytes ? () => {} : reading.take(Math.min(announced, mostBytes));
  try {
    return await collect({ request, mostBytes });
  } finally {
    release();
  }
}

async function collect({ request, mostBytes }: { request: IncomingMessage; mostBytes: number }): Promise<Buffer> {
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
