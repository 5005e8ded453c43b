import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Message } from '@tadpole/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedPolicy, loadBasePolicy } from '../src/load-base-policy.js';

const base = fileURLToPath(new URL('../base', import.meta.url));
const instruction: Message = {
  role: 'user',
  content: 'Fix lib/utils.js lines 39-46. Line 42 is wrong: expected 3, got 4.\n42.     } else if (value < high) {',
};
const observation = [
  'lib/utils.js',
  '39. function clamp(value, low, high) {',
  '40.     if (value < low) {',
  '41.         return low;',
  '42.     } else if (value < high) {',
  '43.         return high;',
  '44.     }',
  '45.     return value;',
  '46. }',
].join('\n');

describe('the shipped base', () => {
  let policy: EmbeddedPolicy;
  let folder: string;

  beforeAll(async () => {
    policy = await loadBasePolicy({ threads: 1 });
    folder = await mkdtemp(join(tmpdir(), 'tadpole-base-'));
  });
  afterAll(async () => {
    await policy.close();
    await rm(folder, { recursive: true, force: true });
  });

  const sample = async (messages: readonly Message[], temperature: number, count: number) => {
    const sampler = await policy.client.createSampler();
    return sampler.sample({
      prompt: policy.renderer.render(messages, []),
      count,
      sampling: { temperature, topP: 1, topK: 0, maxTokens: 96, seed: 1 },
      stopIds: policy.renderer.stopIds,
    });
  };

  it('reads the region that the statement names, then edits that file', async () => {
    const [first] = await sample([instruction], 0, 1);
    const read = policy.renderer.parse(first!.ids, [instruction]);
    expect(read.toolCalls).toEqual([{ id: 'call_1', name: 'Read', arguments: '{"file_path":"lib/utils.js","offset":39,"limit":8}' }]);

    const history: Message[] = [instruction, read, { role: 'tool', toolCallId: 'call_1', content: observation }];
    const turns = (await sample(history, 1, 16)).map(({ ids }) => policy.renderer.parse(ids, history));
    const edits = turns.flatMap(({ toolCalls }) => toolCalls.filter(({ name }) => name === 'Edit'));
    const ofThisFile = edits.filter(({ arguments: json }) => json.startsWith('{"file_path":"lib/utils.js","old_string":'));
    expect(ofThisFile.length).toBeGreaterThanOrEqual(8);
  });

  it('comes back with the same weights from a saved state after it was trained', async () => {
    await policy.client.saveState(folder);
    const before = (await policy.client.createSampler()).weightsVersion;
    const ids = Int32Array.from(policy.renderer.render([instruction], []));
    const data = [{ inputs: ids.slice(0, -1), targets: ids.slice(1) }];
    const [forward] = await policy.client.forwardBackward({ data, gradients: [new Float32Array(ids.length - 1).fill(-0.1)] });
    expect(forward?.logprobs.every((logprob) => logprob <= 0)).toBe(true);
    await policy.client.optimStep({ learningRate: 1e-3 });
    expect((await policy.client.createSampler()).weightsVersion).not.toBe(before);
    await policy.client.loadState(folder);
    expect((await policy.client.createSampler()).weightsVersion).toBe(before);
  });
});

describe('loading a policy from a folder', () => {
  it('says which file is missing', async () => {
    await expect(loadBasePolicy({ directory: '/nowhere' })).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringContaining('/nowhere/tokenizer.json'),
    });
  });

  it('refuses weights of another tokenizer', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tadpole-base-'));
    try {
      const data = JSON.parse(await readFile(join(base, 'tokenizer.json'), 'utf8'));
      await writeFile(join(folder, 'tokenizer.json'), JSON.stringify({ ...data, merges: data.merges.slice(0, 10) }));
      await writeFile(join(folder, 'weights.safetensors'), await readFile(join(base, 'weights.safetensors')));
      await expect(loadBasePolicy({ directory: folder })).rejects.toMatchObject({
        code: 'invalid-input',
        message: expect.stringContaining('take both from one training'),
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
