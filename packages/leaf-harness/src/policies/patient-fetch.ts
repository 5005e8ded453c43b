import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** Statuses whose responses have no body (RFC 9110 section 15). */
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

/**
 * Fetches as Node's own `fetch` does, but waits for the response as long as the signal lets it: Node's gives up after
 * 300 s without headers, and an endpoint that does not stream sends them when the whole turn is written. Takes a body of
 * text or none. Follows no redirects. Rejects for a status outside 200 to 599, a changed protocol and a lost connection.
 */
export const patientFetch: typeof fetch = async (input, init = {}) => {
  const url = new URL(input instanceof Request ? input.url : input);
  const { method = 'GET', body, signal } = init;
  if (body !== undefined && body !== null && typeof body !== 'string') throw new TypeError('Expected a body of text.');
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const headers = Object.fromEntries(new Headers(init.headers));
    const request = send(url, { method, headers, signal: signal ?? undefined });
    request.on('response', (message) => {
      const status = message.statusCode ?? 0;
      const fields = Object.entries(message.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      );
      try {
        if (status < 200 || status > 599) throw new RangeError(`Expected an HTTP status from 200 to 599, received ${status}.`);
        const stream = WITHOUT_BODY.includes(status) ? null : message;
        resolve(new Response(stream, { status, statusText: message.statusMessage, headers: fields }));
      } catch (error) {
        reject(error);
        request.destroy();
      }
    });
    // Without a listener Node closes the connection and says nothing, and the signal reaches the socket no more.
    request.on('upgrade', ({ statusCode }, socket) => {
      reject(new Error(`Expected a response, received ${statusCode} and another protocol.`));
      socket.destroy();
    });
    request.on('error', reject);
    request.on('close', () => reject(new Error('Expected a response, received the end of the connection.')));
    request.end(body ?? undefined);
  });
};
