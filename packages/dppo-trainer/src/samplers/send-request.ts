import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** What came back, read to its end. */
export interface ServerAnswer {
  readonly status: number;
  readonly text: string;
  /** `Retry-After` in milliseconds, where the server asked for a wait in seconds. */
  readonly retryAfterMs?: number;
}

/**
 * One request without a redirect. It waits for the headers as long as the signal lets it: `fetch` of Node gives up after 300 s, and a
 * server that does not stream sends them when the whole turn is sampled. Rejects for a lost connection, half a body or too long a one.
 */
export function sendRequest(options: {
  url: URL;
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  body?: string;
  maxBytes: number;
  signal: AbortSignal;
}): Promise<ServerAnswer> {
  const { url, method, headers, body, maxBytes, signal } = options;
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    // A kept connection that the server has closed in the meantime would look like a lost answer.
    const request = send(url, { method, headers, signal, agent: false });
    request.on('response', (message) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      message.on('data', (chunk: Buffer) => {
        bytes += chunk.byteLength;
        chunks.push(chunk);
        if (bytes <= maxBytes) return;
        // Destroyed without the error: a socket that has its whole answer already would throw it at nobody.
        reject(new Error(`Expected ${maxBytes} bytes at most, received more. Raise maxAnswerBytes.`));
        request.destroy();
      });
      message.on('error', reject);
      message.on('end', () => {
        const seconds = Number(message.headers['retry-after'] ?? Number.NaN);
        resolve({
          status: message.statusCode ?? 0,
          text: Buffer.concat(chunks).toString('utf8'),
          ...(Number.isFinite(seconds) && seconds >= 0 ? { retryAfterMs: seconds * 1000 } : {}),
        });
      });
    });
    // Without a listener Node closes an upgraded connection and says nothing.
    request.on('upgrade', (_, socket) => {
      socket.destroy();
      reject(new Error('Expected an answer, received another protocol.'));
    });
    request.on('error', reject);
    request.on('close', () => reject(new Error('Expected an answer, received the end of the connection.')));
    request.end(body);
  });
}
