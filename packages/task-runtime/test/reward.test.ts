import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { duplicateKey } from '../src/grading/duplicate-key.js';
import { readReward } from '../src/grading/read-reward.js';

const folder = mkdtempSync(join(tmpdir(), 'tadpole-reward-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;

function logs(files: { json?: string; txt?: string }): string {
  made += 1;
  const directory = join(folder, String(made));
  mkdirSync(directory);
  if (files.json !== undefined) writeFileSync(join(directory, 'reward.json'), files.json);
  if (files.txt !== undefined) writeFileSync(join(directory, 'reward.txt'), files.txt);
  return directory;
}

const read = (files: { json?: string; txt?: string }, preferred: 'reward.json' | 'reward.txt' = 'reward.json') =>
  readReward({ directory: logs(files), preferred });

describe('a reward', () => {
  it.each([
    [{ json: '0.5' }, 0.5, {}],
    [{ json: '{"reward": 1, "cases": 3}' }, 1, { cases: 3 }],
    [{ json: '{"accuracy": 0.25}' }, 0.25, { accuracy: 0.25 }],
    [{ json: '{"reward": 0, "parse_status": "ok", "details": {"a": [1]}}' }, 0, {}],
    [{ txt: ' 1\n' }, 1, {}],
    [{ txt: '5e-1' }, 0.5, {}],
    [{ json: '{"reward": 1}', txt: '1.0' }, 1, {}],
  ])('is read from %j', async (files, reward, metrics) => {
    expect(await read(files)).toEqual({ ok: true, reward, metrics, warnings: [] });
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
  ])('is refused in %j', async (files) => {
    expect(await read(files)).toMatchObject({ ok: false, why: expect.stringContaining('expected') });
  });

  it('is that of the preferred file where both disagree, with a warning', async () => {
    const files = { json: '{"reward": 0}', txt: '1' };
    const warning = expect.stringMatching(/reward\.json says 0|reward\.txt says 1/);
    expect(await read(files)).toEqual({ ok: true, reward: 0, metrics: {}, warnings: [warning] });
    expect(await read(files, 'reward.txt')).toEqual({ ok: true, reward: 1, metrics: {}, warnings: [warning] });
  });

  it('is not read through a link, from a folder, or from a huge file', async () => {
    const target = join(folder, 'target');
    writeFileSync(target, '1');
    const linked = logs({});
    symlinkSync(target, join(linked, 'reward.txt'));
    const nested = logs({});
    mkdirSync(join(nested, 'reward.json'));
    const huge = logs({ txt: `1${' '.repeat(2_000_000)}` });
    for (const directory of [linked, nested, huge]) {
      expect(await readReward({ directory, preferred: 'reward.json' })).toMatchObject({
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
