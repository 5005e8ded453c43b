import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { patientFetch } from '../src/policies/patient-fetch.js';

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method, headers } = request;
  if (request.url === '/empty') return response.writeHead(204).end();
  response
    .writeHead(201, { 'x-two': ['a', 'b'] })
    .end(JSON.stringify({ method, asked: headers['x-asked'], body: Buffer.concat(chunks).toString() }));
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));
const address = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

describe('patientFetch', () => {
  it('sends method, headers and body and gives status, headers and body back, as fetch does', async () => {
    const init = { method: 'POST', headers: new Headers({ 'x-asked': 'yes' }), body: 'ü' };
    const [ours, nodes] = await Promise.all([patientFetch, fetch].map((send) => send(address('/'), init)));
    expect([ours?.status, ours?.statusText, ours?.headers.get('x-two')]).toEqual([
      nodes?.status,
      nodes?.statusText,
      nodes?.headers.get('x-two'),
    ]);
    expect(await ours?.json()).toEqual({ method: 'POST', asked: 'yes', body: 'ü' });
  });

  it('reads a response without a body', async () => {
    const response = await patientFetch(address('/empty'));
    expect([response.status, await response.text()]).toEqual([204, '']);
  });

  it('rejects when nobody listens, for a signal, and for a body that is no text', async () => {
    await expect(patientFetch('http://127.0.0.1:1/')).rejects.toThrow('ECONNREFUSED');
    await expect(patientFetch(address('/'), { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
    await expect(patientFetch(address('/'), { method: 'POST', body: new Blob(['x']) })).rejects.toThrow('body of text');
  });
});
