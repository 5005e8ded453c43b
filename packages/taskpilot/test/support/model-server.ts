import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What the server does with one request. */
export type ServerReply = {
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  text?: string;
  /** `hang`: nothing is sent; `half`: half of the body, then nothing; `drop`: half of the body, then the connection is closed. */
  fault?: 'hang' | 'half' | 'drop';
};

/** What the server received. */
export type ModelRequest = {
  url?: string;
  authorization?: string;
  body: {
    model: string;
    seed: number;
    messages: { role: string; content: string }[];
    response_format?: { json_schema: { schema: object } };
  };
};

/** A reply, or how it is made from the request. */
export type Script = ServerReply | ((request: ModelRequest) => ServerReply);

/**
 * A real HTTP server that plays its replies, one a request, or answers every request by one function. Strict: the test
 * fails when a request came for which there is no reply, or when a reply was not used.
 */
export async function modelServer(script: readonly Script[] | ((request: ModelRequest) => ServerReply)) {
  const received: ModelRequest[] = [];
  let unexpected = 0;
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { url, headers } = incoming;
    const request = { url, authorization: headers.authorization, body: JSON.parse(Buffer.concat(chunks).toString()) };
    const step = typeof script === 'function' ? script : script[received.length];
    received.push(request);
    if (step === undefined) unexpected++;
    play(typeof step === 'function' ? step(request) : (step ?? { status: 404, body: { error: { message: 'not expected' } } }), response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(async () => {
    await close();
    if (unexpected > 0) throw new Error(`${unexpected} requests were not expected.`);
    if (typeof script !== 'function' && received.length < script.length)
      throw new Error(`The script has ${script.length} replies; ${received.length} requests came.`);
  });
  return { received, close, baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

function play({ status = 200, headers = {}, body, text = JSON.stringify(body) ?? '', fault }: ServerReply, response: ServerResponse): void {
  if (fault === 'hang') return;
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers });
  if (fault === undefined) response.end(text);
  else
    response.write(text.slice(0, text.length / 2), () => {
      if (fault === 'drop') response.socket?.destroy();
    });
}

/** A reply whose only choice has this text. */
export function says(content: string, choice: { finish_reason?: string; refusal?: string } = {}): ServerReply {
  const { finish_reason = 'stop', ...message } = choice;
  return {
    body: {
      choices: [{ index: 0, message: { role: 'assistant', content, ...message }, finish_reason }],
      usage: { prompt_tokens: 300, completion_tokens: 20 },
    },
  };
}

/** Bugs for the functions of the sample project: file, old text, new text. */
export const sampleBugs: Readonly<Record<string, readonly [string, string, string]>> = {
  contains: ['lib/range.js', 'value <= high', 'value < high'],
  clamp: ['lib/range.js', 'value < low ? low : high', 'value < low ? high : low'],
  width: ['lib/range.js', 'Math.max(high - low, 0)', 'Math.max(high - low, 1)'],
  sum: ['lib/list.js', 'total += value', 'total -= value'],
  mean: ['lib/list.js', '/ values.length', '* values.length'],
};

/** The function that the request's first message asks about. */
export function askedFunction({ body }: ModelRequest): string {
  return /`(\w+)`/.exec(body.messages[0]!.content)![1]!;
}

/** A right answer to the question for a bug. */
export function bugAnswer(request: ModelRequest, change: Readonly<Record<string, unknown>> = {}): string {
  const [file, oldText, newText] = sampleBugs[askedFunction(request)]!;
  return JSON.stringify({ file, oldText, newText, why: 'A bound is off by one.', ...change });
}
