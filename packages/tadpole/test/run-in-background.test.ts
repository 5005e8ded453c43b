import { describe, expect, it } from 'vitest';
import { runInBackground } from '../src/climb/run-in-background.js';

async function read<Event, Result>(process: AsyncGenerator<Event, Result>) {
  const events: Event[] = [];
  for (;;) {
    const step = await process.next();
    if (step.done) return { events, result: step.value };
    events.push(step.value);
  }
}

describe('a process in the background', () => {
  it('ends without a listener, and tells all of it to one that comes later', async () => {
    const background = runInBackground(
      (async function* () {
        yield 1;
        yield 2;
        return 'done';
      })(),
    );
    expect(await background.ended).toBe(true);
    expect(await read(background.follow())).toEqual({ events: [1, 2], result: 'done' });
  });

  it('tells a listener what it yields as it yields it', async () => {
    let goOn = () => {};
    const background = runInBackground(
      (async function* () {
        yield 1;
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
        yield 2;
      })(),
    );
    const listener = background.follow();
    expect(await listener.next()).toEqual({ done: false, value: 1 });
    const second = listener.next();
    goOn();
    expect(await second).toEqual({ done: false, value: 2 });
    expect((await listener.next()).done).toBe(true);
  });

  it('throws to its listener what it threw, after what it had yielded, and to nobody else', async () => {
    const background = runInBackground(
      (async function* () {
        yield 1;
        throw new Error('broken');
      })(),
    );
    expect(await background.ended).toBe(false);
    const listener = background.follow();
    expect(await listener.next()).toEqual({ done: false, value: 1 });
    await expect(listener.next()).rejects.toThrow('broken');
  });
});
