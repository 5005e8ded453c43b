import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { harnessFingerprint, leafHarnessVersion, leafTools, maxTurns, rolloutKey, rolloutSeed } from '../src/index.js';
import { canonicalJson } from '../src/rollouts/canonical-json.js';

const parts = {
  taskId: 'task',
  taskHash: 't',
  purpose: 'train',
  sample: 0,
  policy: 'embedded',
  weightsVersion: 'w1',
  sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 10, seed: 1 },
  harnessFingerprint: 'h',
  fingerprint: '',
} as const;

describe('rolloutKey', () => {
  it('is 64 hex digits and does not depend on the order of members', () => {
    expect(rolloutKey(parts)).toMatch(/^[0-9a-f]{64}$/);
    expect(rolloutKey(Object.fromEntries(Object.entries(parts).reverse()) as typeof parts)).toBe(rolloutKey(parts));
  });

  it.each([
    { taskId: 'other' },
    { taskHash: 'other' },
    { purpose: 'evaluation' as const },
    { sample: 1 },
    { policy: 'other' },
    { weightsVersion: 'w2' },
    { sampling: { ...parts.sampling, seed: 2 } },
    { sampling: { ...parts.sampling, maxTokens: 11 } },
    { harnessFingerprint: 'i' },
    { fingerprint: 'docker' },
  ])('changes with %j', (change) => {
    expect(rolloutKey({ ...parts, ...change })).not.toBe(rolloutKey(parts));
  });
});

describe('rolloutSeed', () => {
  it('is a 32-bit number that depends on each of its parts', () => {
    const base = { runSeed: 1, taskId: 'a', sample: 0, purpose: 'train' } as const;
    const seeds = [
      base,
      { ...base, runSeed: 2 },
      { ...base, taskId: 'b' },
      { ...base, sample: 1 },
      { ...base, purpose: 'calibration' as const },
    ].map(rolloutSeed);
    expect(new Set(seeds).size).toBe(5);
    expect(seeds.every((seed) => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32)).toBe(true);
    expect(rolloutSeed(base)).toBe(seeds[0]);
  });
});

describe('harnessFingerprint', () => {
  const tools = leafTools();
  it('is the same for defaults that are given and left out', () => {
    expect(harnessFingerprint({ tools, limits: { maxTurns: 75 } })).toBe(harnessFingerprint({ tools }));
  });

  it('changes with the tools, their order, the prompt, the limits, the profile and the stop conditions', () => {
    const all = [
      harnessFingerprint({ tools }),
      harnessFingerprint({ tools: tools.slice(1) }),
      harnessFingerprint({ tools: [...tools].reverse() }),
      harnessFingerprint({ tools, systemPrompt: 'Other.' }),
      harnessFingerprint({ tools, limits: { maxTurns: 74 } }),
      harnessFingerprint({ tools, profile: 'leaf-exact' }),
      harnessFingerprint({ tools, stopConditions: [maxTurns(3)] }),
      harnessFingerprint({ tools, stopConditions: [maxTurns(4)] }),
      harnessFingerprint({ tools, stopConditions: [() => undefined] }),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  it('carries the version of the package', () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
    expect(leafHarnessVersion).toBe(version);
  });
});

describe('canonicalJson', () => {
  it('gives the value back, and one text for any order of members', () => {
    const shuffled = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(shuffled)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .reverse()
                .map(([key, member]) => [key, shuffled(member)]),
            )
          : value;
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value));
      }),
    );
  });
});
