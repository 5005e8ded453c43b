import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { duplicateKey } from '../src/grading/duplicate-key.js';
import { readReward } from '../src/grading/read-reward.js';

type Texts = { json?: string | undefined; txt?: string | undefined };

const read = (files: Texts, preferred: 'reward.json' | 'reward.txt' = 'reward.json') =>
  readReward({ files: { 'reward.json': files.json ?? null, 'reward.txt': files.txt ?? null }, preferred });

describe('a reward', () => {
  it.each([
    [{ json: '0.5' }, 0.5, {}],
    [{ json: '{"reward": 1, "cases": 3}' }, 1, { cases: 3 }],
    [{ json: '{"accuracy": 0.25}' }, 0.25, { accuracy: 0.25 }],
    [{ json: '{"reward": 0, "parse_status": "ok", "details": {"a": [1]}}' }, 0, {}],
    [{ txt: ' 1\n' }, 1, {}],
    [{ txt: '5e-1' }, 0.5, {}],
    [{ json: '{"reward": 1}', txt: '1.0' }, 1, {}],
  ])('is read from %j', (files, reward, metrics) => {
    expect(read(files)).toEqual({ ok: true, reward, metrics, warnings: [] });
  });

  it.each([
    [{}],
    [{ json: '' }],
    [{ json: '{' }],
    [{ json: 'NaN' }],
    [{ json: 'Infinity' }],
    [{ json: '1e999' }],
    [{ json: '{"reward": 1e999}' }],
    [{ json: '{"reward": 1, "cases": -1e999}' }],
    [{ json: '{"reward": 0, "reward": 1}' }],
    [{ json: '{"reward": 0, "rew\\u0061rd": 1}' }],
    [{ json: '{"reward": 1, "details": {"a": 1, "a": 2}}' }],
    [{ json: '{"a": 1, "b": 0}' }],
    [{ json: '{"reward": "1"}' }],
    [{ json: '{"reward": true}' }],
    [{ json: '{"reward": null}' }],
    [{ json: '[1]' }],
    [{ json: 'null' }],
    [{ json: '-1' }],
    [{ json: '1.5' }],
    [{ txt: '' }],
    [{ txt: 'nan' }],
    [{ txt: 'inf' }],
    [{ txt: '-0.1' }],
    [{ txt: '100' }],
    [{ txt: '0x1' }],
    [{ txt: '1 passed' }],
    [{ txt: '1\n1' }],
    [{ json: '{"reward": 1}', txt: 'broken' }],
    [{ json: '{', txt: '1' }],
  ])('is refused in %j', (files) => {
    expect(read(files)).toMatchObject({ ok: false, why: expect.stringContaining('expected') });
  });

  it('is that of the preferred file where both disagree, with a warning', () => {
    const files = { json: '{"reward": 0}', txt: '1' };
    const warning = expect.stringMatching(/reward\.json says 0|reward\.txt says 1/);
    expect(read(files)).toEqual({ ok: true, reward: 0, metrics: {}, warnings: [warning] });
    expect(read(files, 'reward.txt')).toEqual({ ok: true, reward: 1, metrics: {}, warnings: [warning] });
  });

  it('is refused in a file that cannot be read or is huge', () => {
    for (const text of [undefined, `1${' '.repeat(2_000_000)}`]) {
      expect(readReward({ files: { 'reward.json': null, 'reward.txt': text }, preferred: 'reward.json' })).toMatchObject({
        ok: false,
        why: expect.stringContaining('regular'),
      });
    }
  });
});

describe('duplicate keys', () => {
  it('are found in no JSON text that was written from a value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(duplicateKey(JSON.stringify(value))).toBeUndefined();
      }),
    );
  });

  it('are found wherever one is put in twice', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (key, value) => {
        const [name, text] = [JSON.stringify(key), JSON.stringify(value)];
        expect(duplicateKey(`{"outer": [{${name}: ${text}, "other": ${text}, ${name} : 1}]}`)).toBe(key);
      }),
    );
  });
});
