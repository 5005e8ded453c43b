import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { connectRunner } from '../src/runner/connect-runner.js';
import { encodeFrame } from '../src/runner/read-frames.js';

/** A runner that answers the first request with scripted bytes. */
function forged(answer: readonly Uint8Array[] | 'end' | 'nothing', { answerTimeoutMs = 30_000, end = false } = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  input.once('data', () => {
    if (answer === 'end') output.end();
    else if (answer !== 'nothing') for (const bytes of answer) output.write(bytes);
    if (end) output.end();
  });
  input.resume();
  return { input, output, runner: connectRunner({ input, output, workspacePath: '/workspace', fileBytes: 100, answerTimeoutMs }) };
}

const lengths = (header: number, payload: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32BE(header, 0);
  bytes.writeUInt32BE(payload, 4);
  return bytes;
};
const ok = { id: 1, status: 'ok' };

describe('a connection to a forged runner', () => {
  it.each([
    ['garbage', [Buffer.from('Segmentation fault (core dumped)\n')]],
    ['a header that is no JSON', [lengths(4, 0), Buffer.from('{id:')]],
    ['a header of another form', encodeFrame({ header: { ...ok, extra: true } })],
    ['an oversize header', [lengths(4_000_000_000, 0)]],
    ['an oversize payload', encodeFrame({ header: ok, payload: new Uint8Array(101) })],
    ['a payload where none was asked', encodeFrame({ header: { id: 1, status: 'absent' }, payload: new Uint8Array(1) })],
    ['an id that nobody asked', encodeFrame({ header: { ...ok, id: 3 } })],
    ['an id that was answered before', [...encodeFrame({ header: { ...ok, id: 0 } }), ...encodeFrame({ header: ok })]],
  ])('ends at %s and rejects everything in flight', async (_, answer) => {
    const { input, output, runner } = forged(answer);
    const both = await Promise.allSettled([runner.readFile('a'), runner.readFile('b'), runner.ended]);
    expect(both.slice(0, 2)).toMatchObject([
      { status: 'rejected', reason: { code: 'sandbox' } },
      { status: 'rejected', reason: { code: 'sandbox' } },
    ]);
    expect([input.destroyed, output.destroyed]).toEqual([true, true]);
    await expect(runner.readFile('c')).rejects.toMatchObject({ code: 'sandbox' });
  });

  it('takes a second answer to one request as a lie', async () => {
    const { runner } = forged([...encodeFrame({ header: ok, payload: Buffer.from('x') }), ...encodeFrame({ header: ok })]);
    expect(await runner.readFile('a')).toEqual(new Uint8Array(Buffer.from('x')));
    expect(await runner.ended).toMatchObject({ code: 'sandbox' });
  });

  it('ends when the stream ends inside a frame or before one', async () => {
    const whole = Buffer.concat(encodeFrame({ header: ok, payload: Buffer.from('xyz') }));
    await expect(forged([whole.subarray(0, -1)], { end: true }).runner.readFile('a')).rejects.toMatchObject({ code: 'sandbox' });
    await expect(forged('end').runner.readFile('a')).rejects.toMatchObject({ code: 'sandbox' });
  });

  it('ends when no answer comes in time', async () => {
    const { runner, output } = forged('nothing', { answerTimeoutMs: 20 });
    await expect(runner.readFile('a')).rejects.toMatchObject({ code: 'sandbox' });
    expect(output.destroyed).toBe(true);
  });

  it('ends at paths that no pattern can have found', async () => {
    for (const path of ['/etc/passwd', '../../etc/passwd', 'x'.repeat(5000)]) {
      const { runner } = forged(encodeFrame({ header: ok, payload: Buffer.from(`a\0${path}`) }));
      await expect(runner.glob('*')).rejects.toMatchObject({ code: 'sandbox' });
      expect(await runner.ended).toMatchObject({ code: 'sandbox' });
    }
  });

  it('passes over the late answer to a request whose signal aborted', async () => {
    const { runner, output } = forged('nothing');
    const controller = new AbortController();
    const read = runner.readFile('a', { signal: controller.signal });
    controller.abort();
    await expect(read).rejects.toMatchObject({ code: 'aborted' });
    const next = runner.readFile('b');
    for (const bytes of encodeFrame({ header: ok, payload: Buffer.from('late') })) output.write(bytes);
    for (const bytes of encodeFrame({ header: { ...ok, id: 2 }, payload: Buffer.from('own') })) output.write(bytes);
    expect(Buffer.from((await next)!).toString()).toBe('own');
    runner.close();
  });
});
