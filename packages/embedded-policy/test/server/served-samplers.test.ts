import { describe, expect, it } from 'vitest';
import { createServedSamplers, type ServedSampler } from '../../src/server/served-samplers.js';

/** Counts how often it was thrown away. */
function sampler(modelId?: string): ServedSampler & { disposed: number } {
  const made = {
    ...{ disposed: 0, sampler: {} as ServedSampler['sampler'], ...(modelId !== undefined && { modelId }) },
    scorer: () => Promise.reject(new Error('expected no scoring')),
    async dispose() {
      made.disposed += 1;
    },
  };
  return made;
}

describe('the samplers of a server', () => {
  it('open one checkpoint once for all who ask at the same time', async () => {
    const samplers = createServedSamplers({ base: sampler(), most: 8 });
    let opened = 0;
    const open = async () => {
      opened += 1;
      await new Promise((resolve) => setTimeout(resolve, 5));
      return sampler();
    };
    const found = await Promise.all(Array.from({ length: 12 }, () => samplers.findOrOpen('a', open)));
    expect(opened).toBe(1);
    expect(new Set(found).size).toBe(1);
  });

  it('try again where opening failed', async () => {
    const samplers = createServedSamplers({ base: sampler(), most: 8 });
    await expect(samplers.findOrOpen('a', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    const second = sampler();
    expect(await samplers.findOrOpen('a', async () => second)).toBe(second);
  });

  it('are forgotten with the engine that they live in, the others stay', async () => {
    const samplers = createServedSamplers({ base: sampler(), most: 8 });
    const [inModel, ofFile] = [sampler('m'), sampler()];
    samplers.add('a', inModel);
    samplers.add('b', ofFile);
    await samplers.dropOf('m');
    expect([samplers.find('a'), samplers.find('b')]).toEqual([undefined, ofFile]);
    expect([inModel.disposed, ofFile.disposed]).toEqual([1, 0]);
  });

  it('throw away what another takes the key of, unless it has a second one', async () => {
    const samplers = createServedSamplers({ base: sampler(), most: 8 });
    const [first, second, third] = [sampler(), sampler(), sampler()];
    samplers.add('a', first);
    samplers.add('b', first);
    samplers.add('a', second);
    expect(first.disposed).toBe(0);
    samplers.add('b', third);
    await samplers.close();
    expect([first.disposed, second.disposed, third.disposed]).toEqual([1, 1, 1]);
  });
});
