import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCheckpoint, writeCheckpoint } from '../../src/engine/checkpoint/checkpoint.js';
import { fromFloat16Bits, toFloat16Bits } from '../../src/engine/checkpoint/float16.js';
import { decodeSafetensors, encodeSafetensors } from '../../src/engine/checkpoint/safetensors.js';
import { initialiseWeights } from '../../src/engine/model/initialise-weights.js';
import { TINY_MODEL } from './tiny-model.js';

let folder: string;
const weights = initialiseWeights(TINY_MODEL, 4);
const optimizer = { first: initialiseWeights(TINY_MODEL, 5), second: initialiseWeights(TINY_MODEL, 6), step: 17 };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tadpole-checkpoint-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a checkpoint', () => {
  it('returns bit-equal weights and optimizer state, and leaves no temporary file', async () => {
    const path = join(folder, 'new', 'state.safetensors');
    await writeCheckpoint(path, { config: TINY_MODEL, weights, optimizer });
    expect(await readCheckpoint(path)).toEqual({ config: TINY_MODEL, weights, optimizer });
    expect(await readdir(join(folder, 'new'))).toEqual(['state.safetensors']);
  });

  it('leaves nothing behind where it cannot be written', async () => {
    const path = join(folder, 'taken', 'state.safetensors');
    await mkdir(path, { recursive: true });
    await expect(writeCheckpoint(path, { config: TINY_MODEL, weights })).rejects.toMatchObject({ code: 'storage' });
    expect(await readdir(join(folder, 'taken'))).toEqual(['state.safetensors']);
  });

  it('is refused where its weights are not finite, or a layer more than there are tensors is claimed', async () => {
    const path = join(folder, 'broken.safetensors');
    await writeCheckpoint(path, { config: TINY_MODEL, weights: weights.map((value, index) => (index === 9 ? Number.NaN : value)) });
    await expect(readCheckpoint(path)).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringMatching(/not finite/) });
    const metadata = { format: 'tadpole-policy-1', config: JSON.stringify({ ...TINY_MODEL, layers: 200_000 }) };
    await writeFile(path, encodeSafetensors([], { metadata }));
    await expect(readCheckpoint(path)).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringMatching(/200000 layers/) });
  });

  it('is refused where tensors share their bytes', () => {
    const bytes = encodeSafetensors([{ name: 'a', shape: [64], data: new Float32Array(64) }], { metadata: {} });
    const text = new TextDecoder().decode(bytes).replace(/("a":\{[^}]*\})/, '$1,"b":{"dtype":"F32","shape":[64],"data_offsets":[0,256]}');
    const header = text.slice(8, text.indexOf('\0', 8));
    const forged = Buffer.concat([Buffer.alloc(8), Buffer.from(header), Buffer.alloc(256)]);
    forged.writeBigUInt64LE(BigInt(header.length));
    expect(() => decodeSafetensors(forged)).toThrow(/lies over others/);
  });

  it('halves the file at float16 and stays within its rounding', async () => {
    const [full, half] = [join(folder, 'full.safetensors'), join(folder, 'half.safetensors')];
    await writeCheckpoint(full, { config: TINY_MODEL, weights });
    await writeCheckpoint(half, { config: TINY_MODEL, weights }, { precision: 'float16' });
    const read = await readCheckpoint(half);
    expect(read.optimizer).toBeUndefined();
    const worst = read.weights.reduce(
      (most, value, index) => Math.max(most, Math.abs(value - weights[index]!) / (Math.abs(weights[index]!) + 1e-4)),
      0,
    );
    expect(worst).toBeLessThan(2 ** -11);
    expect((await readFile(half)).length).toBeLessThan(0.65 * (await readFile(full)).length);
  });

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['cut in the header', (bytes) => bytes.subarray(0, 100)],
    ['cut in the tensors', (bytes) => bytes.subarray(0, bytes.length - 4)],
    ['empty', () => Buffer.alloc(0)],
    ['with a header that is not JSON', (bytes) => Buffer.concat([bytes.subarray(0, 8), Buffer.from('?'), bytes.subarray(9)])],
    ['without a tensor', (bytes) => Buffer.from(bytes.toString('latin1').replace('"norm":', '"morn":'), 'latin1')],
    ['with another shape', (bytes) => Buffer.from(bytes.toString('latin1').replace('"shape":[37,16]', '"shape":[16,37]'), 'latin1')],
    ['of another kind', (bytes) => Buffer.from(bytes.toString('latin1').replace('tadpole-policy-1', 'tadpole-policy-0'), 'latin1')],
  ])('is refused when %s', async (_, damage) => {
    const path = join(folder, 'damaged.safetensors');
    await writeCheckpoint(path, { config: TINY_MODEL, weights });
    await writeFile(path, damage(await readFile(path)));
    await expect(readCheckpoint(path)).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringContaining(path) });
  });

  it('says that a file is missing', async () => {
    await expect(readCheckpoint(join(folder, 'absent'))).rejects.toMatchObject({ code: 'storage' });
  });
});

describe('the safetensors format', () => {
  it('lays out a file byte for byte as the format says', () => {
    const bytes = encodeSafetensors([{ name: 'a', shape: [2], data: Float32Array.of(1, -2) }], { metadata: { k: 'v' } });
    const header = '{"__metadata__":{"k":"v"},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}';
    const padded = header.padEnd(Math.ceil(header.length / 8) * 8);
    const expected = Buffer.concat([
      Buffer.of(padded.length, 0, 0, 0, 0, 0, 0, 0),
      Buffer.from(padded),
      Buffer.from('0000803f000000c0', 'hex'),
    ]);
    expect(Buffer.from(bytes)).toEqual(expected);
    expect(decodeSafetensors(bytes).tensors.get('a')?.data).toEqual(Float32Array.of(1, -2));
  });

  it.each([
    [1, 0x3c00],
    [-2, 0xc000],
    [65504, 0x7bff],
    [65520, 0x7c00],
    [2 ** -24, 0x0001],
    [2 ** -25, 0x0000],
    [1.5 * 2 ** -24, 0x0002],
    [2 ** -14, 0x0400],
    [1 + 2 ** -11, 0x3c00],
    [1 + 3 * 2 ** -11, 0x3c02],
    [-Infinity, 0xfc00],
    [-0, 0x8000],
  ])('rounds %d to half precision, ties to even', (value, bits) => {
    expect(toFloat16Bits(value)).toBe(bits);
  });

  it('reads back every half-precision number as it wrote it', () => {
    for (let bits = 0; bits < 0x10000; bits++) {
      const value = fromFloat16Bits(bits);
      if (!Number.isNaN(value)) expect(toFloat16Bits(value)).toBe(bits);
    }
  });
});
