import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server does with a request; an object is a body of JSON with status 200. */
export type Scripted =
  | object
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  | 'drop'
  | 'half'
  | 'hang'
  | 'text';

/** A request as it came. */
export interface SeenRequest {
  readonly path: string;
  readonly body: Record<string, unknown>;
  readonly idempotencyKey: string | undefined;
  readonly apiKey: string | undefined;
}

/**
 * A real HTTP server that plays a Tinker server: each path below `/api/v1` has a list of what it answers in turn. Strict: a request
 * for which nothing is left is answered with 418, and `close` throws for it and for answers that nobody asked for.
 */
export async function scriptedTinker(script: Readonly<Record<string, readonly Scripted[]>>) {
  const left = new Map(Object.entries(script).map(([path, answers]) => [path, [...answers]]));
  const seen: SeenRequest[] = [];
  const problems: string[] = [];
  const server = createServer(async (request, response) => {
    const path = (request.url ?? '').replace(/^\/api\/v1/, '');
    const body = await bodyOf(request);
    seen.push({ path, body, idempotencyKey: header(request, 'x-idempotency-key'), apiKey: header(request, 'x-api-key') });
    const answer = left.get(path)?.shift();
    if (answer === undefined) problems.push(`an unexpected ${path}`);
    send(response, answer ?? { status: 418, body: { detail: 'not in the script' } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      for (const [path, answers] of left)
        if (answers.length > 0) problems.push(`${answers.length} answers of ${path} that were not asked for`);
      if (problems.length > 0) throw new Error(`Expected the script, got ${problems.join('; ')}.`);
    },
  };
}

function send(response: ServerResponse, answer: Scripted): void {
  if (answer === 'hang') return;
  if (answer === 'drop') return void response.destroy();
  if (answer === 'text') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
  if (answer === 'half') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
    response.write('{"request_id":', () => response.destroy());
    return;
  }
  const { status, body, headers } = isStatus(answer) ? answer : { status: 200, body: answer };
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body === undefined ? '' : JSON.stringify(body));
}

function isStatus(answer: object): answer is { status: number; body?: unknown; headers?: Record<string, string> } {
  return 'status' in answer && typeof answer.status === 'number';
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}
