import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PlannedConduct } from './soak-plan.js';

/** What an endpoint does instead of answering, with how often of a thousand requests. */
const faults: readonly (readonly [name: string, ofThousand: number, act: (response: ServerResponse) => void])[] = [
  ['429', 30, (response) => response.writeHead(429, { 'retry-after': '0' }).end('{"error":{"message":"slow down"}}')],
  ['500', 20, (response) => response.writeHead(500).end('{"error":{"message":"out of order"}}')],
  ['hang', 3, () => {}],
  [
    'half response',
    10,
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '5000' });
      response.write('{"choices":[{"mess');
      setTimeout(() => response.destroy(), 20);
    },
  ],
  ['error frame', 10, (response) => json(response, { error: { message: 'the engine has died', code: 500 } })],
];

/**
 * A real OpenAI-compatible server on this machine that plays every rollout's part by the seed of its requests and fails at
 * random. Counts what it did.
 */
export async function startFaultyEndpoint(options: {
  conducts: ReadonlyMap<number, PlannedConduct>;
  answer: (conduct: PlannedConduct) => unknown;
  random: () => number;
}): Promise<{ baseUrl: string; counts: Readonly<Record<string, number>>; close(): Promise<void> }> {
  const counts: Record<string, number> = {};
  const count = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as { seed: number };
    const conduct = options.conducts.get(body.seed);
    if (conduct === undefined) return response.writeHead(400).end('{"error":{"message":"a request of no planned rollout"}}');
    let draw = options.random() * 1000;
    for (const [name, ofThousand, act] of faults) {
      draw -= ofThousand;
      if (draw >= 0) continue;
      count(name);
      return act(response);
    }
    count('answered');
    json(response, options.answer(conduct));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    counts,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The body of a chat completion with one message. */
export function completion(message: { content?: string; calls?: readonly { name: string; input: unknown }[] }): unknown {
  const calls = message.calls ?? [];
  return {
    id: 'soak',
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
        message: {
          role: 'assistant',
          content: message.content ?? '',
          ...(calls.length === 0
            ? {}
            : {
                tool_calls: calls.map(({ name, input }, index) => ({
                  id: `call-${index}`,
                  type: 'function',
                  function: { name, arguments: JSON.stringify(input) },
                })),
              }),
        },
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
  };
}

function json(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
