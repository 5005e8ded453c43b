import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server does with one request. */
export type Reply = {
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  text?: string;
  /** `hang`: nothing is sent; `half`: half of the body, then nothing; `drop`: half of the body, then the connection is closed; `refuse`: closed at once. */
  fault?: 'hang' | 'half' | 'drop' | 'refuse';
};

/** What the server received. */
export type Received = { url?: string; headers: IncomingHttpHeaders; body: Record<string, unknown> };

/**
 * A real HTTP server that plays its replies, one a request. Strict: `close` throws when a request came for which there
 * is no reply, or when a reply was not used.
 */
export async function chatServer(replies: readonly Reply[], options: { allowUnused?: boolean } = {}) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const reply = replies[received.length] ?? { status: 400, body: { error: { message: 'request was not expected' } } };
    received.push({
      url: request.url,
      headers: request.headers,
      body: JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>,
    });
    play(reply, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    received,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      const isRight = options.allowUnused ? received.length <= replies.length : received.length === replies.length;
      if (!isRight) throw new Error(`The script has ${replies.length} replies; ${received.length} requests came.`);
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
  if (fault === undefined) {
    response.end(text);
    return;
  }
  response.write(text.slice(0, text.length / 2), () => {
    if (fault === 'drop') response.socket?.destroy();
  });
}

/** A reply with one choice. */
export const completion = (
  message: object,
  finishReason: string | null = 'stop',
  usage: object | null = { prompt_tokens: 30, completion_tokens: 20 },
): Reply => ({
  body: { choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finishReason }], usage },
});
