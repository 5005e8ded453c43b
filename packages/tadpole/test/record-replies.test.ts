import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { recordReplies } from '../src/synth/record-replies.js';

/** A server that numbers its answers; `refused` says of which of them it makes an error. */
async function countingServer(options: { refused?: readonly number[] } = {}) {
  let count = 0;
  const server = createServer((_, response) => {
    count += 1;
    response.writeHead(options.refused?.includes(count) ? 503 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ count }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat`, asked: () => count };
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'tadpole-replies-'));
const ask = async (send: typeof fetch, url: string, body: string) => {
  const response = await send(url, { method: 'POST', body, headers: { authorization: 'Bearer sk-secret-1234567890' } });
  return [response.status, ((await response.json()) as { count: number }).count];
};

it('asks nothing twice across two programs, and the same question of one program again', async () => {
  const { url, asked } = await countingServer();
  const folder = newFolder();
  const first = recordReplies({ folder });
  expect([await ask(first, url, 'a'), await ask(first, url, 'a'), await ask(first, url, 'b')]).toEqual([
    [200, 1],
    [200, 2],
    [200, 3],
  ]);
  const second = recordReplies({ folder });
  expect([await ask(second, url, 'b'), await ask(second, url, 'a'), await ask(second, url, 'a')]).toEqual([
    [200, 3],
    [200, 1],
    [200, 2],
  ]);
  expect(asked()).toBe(3);
  expect(await ask(second, url, 'a')).toEqual([200, 4]);
});

it('passes an error on and asks again the next time', async () => {
  const { url, asked } = await countingServer({ refused: [1] });
  const folder = newFolder();
  const send = recordReplies({ folder });
  expect(await ask(send, url, 'a')).toEqual([503, 1]);
  expect(await ask(send, url, 'a')).toEqual([200, 2]);
  expect(await ask(recordReplies({ folder }), url, 'a')).toEqual([200, 2]);
  expect(asked()).toBe(2);
});

it('keeps no header', async () => {
  const { url } = await countingServer();
  const folder = newFolder();
  await ask(recordReplies({ folder }), url, 'a');
  const kept = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  expect(kept).toEqual(['{"count":1}']);
});
