import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server does with one request. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is. */
  readonly text?: string;
  /** `hang`: nothing is sent; `half`: half of the body, then the end of the connection; `refuse`: closed at once. */
  readonly fault?: 'hang' | 'half' | 'refuse';
}

/** What the server received. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

/** A real HTTP server on 127.0.0.1 that answers with a function. */
export async function listen(answer: (request: Received) => Promise<Reply> | Reply) {
  const received: Received[] = [];
  const server = createServer(async (message, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const request = {
      method: message.method ?? '',
      url: message.url ?? '',
      headers: message.headers,
      body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
    };
    received.push(request);
    try {
      play(await answer(request), response);
    } catch (error) {
      play({ status: 400, body: { error: { message: String(error) } } }, response);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Plays its replies, one a request. Strict: `close` throws when a request came without a reply, or a reply was not used. */
export async function scriptedEngine(replies: readonly Reply[]) {
  let requests = 0;
  const server = await listen(() => {
    requests += 1;
    return replies[requests - 1] ?? { status: 400, body: { error: { message: 'request was not expected' } } };
  });
  return {
    ...server,
    async close() {
      await server.close();
      if (requests !== replies.length) throw new Error(`The script has ${replies.length} replies; ${requests} requests came.`);
    },
  };
}

function play({ status = 200, headers = {}, body, text = JSON.stringify(body) ?? '', fault }: Reply, response: ServerResponse): void {
  if (fault === 'hang') return;
  if (fault === 'refuse') {
    response.socket?.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers });
  if (fault === undefined) response.end(text);
  else response.write(text.slice(0, text.length / 2), () => response.socket?.destroy());
}
