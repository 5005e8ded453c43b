import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareReplays, type TestComparison } from '../../src/verify/replay/compare-replays.js';
import { readReplay } from '../../src/verify/replay/replay-record.js';

const nonce = 'k2j4h5g6';

/** A record of a test `t`: for each variant a value, whether it held, and how the test ended. */
function record(variants: readonly { value?: string; ok?: boolean; end?: string }[], extra: readonly string[] = []) {
  const lines = variants.flatMap(({ value, ok = true, end = 'done' }, v) => [
    ...(value === undefined ? [] : [`${nonce}${JSON.stringify({ v, t: 't', n: 0, k: 'equal', ok, a: value })}`]),
    `${nonce}${JSON.stringify({ v, t: 't', end, ms: 1 })}`,
  ]);
  return readReplay({ stdout: [...extra, ...lines, `${nonce}{"finished":true}`].join('\n'), nonce });
}

function compare(options: {
  patch: ReturnType<typeof record>;
  gold: ReturnType<typeof record>;
  base?: ReturnType<typeof record>;
}): TestComparison | undefined {
  const { patch, gold, base = record([]) } = options;
  return compareReplays({
    patch,
    gold,
    again: gold,
    base,
    isAsked: () => true,
    isMutated: (variant) => variant > 0,
    originalOf: () => 0,
  }).get('0|t');
}

describe('comparing replays', () => {
  it('counts variants on which the patch answers otherwise than the gold', () => {
    const gold = record([{ value: '1' }, { value: '2', ok: false }, { value: '3', ok: false }]);
    const patch = record([{ value: '1' }, { value: '2', ok: false }, { value: '9', ok: false }]);
    expect(compare({ patch, gold })).toMatchObject({ asked: 3, differing: 1 });
  });

  it('knows an answer to the original question that is given to another one', () => {
    const gold = record([{ value: '1' }, { value: '2', ok: false }]);
    expect(compare({ patch: record([{ value: '1' }, { value: '1' }]), gold })).toMatchObject({ differing: 1, stale: 1 });
  });

  it('knows the answer that the base gave', () => {
    const gold = record([{ value: '1' }, { value: '2', ok: false }]);
    const base = record([
      { value: '0', ok: false },
      { value: '7', ok: false },
    ]);
    expect(compare({ patch: record([{ value: '1' }, { value: '7', ok: false }]), gold, base })).toMatchObject({
      differing: 1,
      likeBase: 1,
    });
  });

  it('takes a claim that an assertion held for nothing where the value is not the gold value', () => {
    const gold = record([{ value: '1' }]);
    expect(compare({ patch: record([{ value: 'forged' }]), gold })).toMatchObject({ asked: 0, differing: 0 });
  });

  it('counts what is missing from a test that ended, and nothing of a test that took too long', () => {
    const gold = record([{ value: '1' }]);
    expect(compare({ patch: record([{ end: 'done' }]), gold })).toMatchObject({ asked: 1, differing: 1 });
    expect(compare({ patch: record([{ end: 'late' }]), gold })).toMatchObject({ asked: 0, differing: 0 });
  });

  it('says nothing of an observation that the gold does not repeat', () => {
    const gold = record([{ value: '1' }]);
    const again = record([{ value: '5' }]);
    const tests = compareReplays({
      patch: record([{ value: '2' }]),
      gold,
      again,
      base: undefined,
      isAsked: () => true,
      isMutated: () => false,
      originalOf: () => 0,
    });
    expect(tests.size).toBe(0);
  });

  it('says nothing against a patch that refuses what the gold accepts', () => {
    const line = (value: string) =>
      `${nonce}${JSON.stringify({ v: 1, t: 't', n: 0, k: 'throws', ok: false, a: value })}\n${nonce}{"v":1,"t":"t","end":"done"}`;
    const gold = readReplay({ stdout: line('nothing thrown'), nonce });
    const patch = readReplay({ stdout: line('throws RangeError'), nonce });
    expect(compare({ patch, gold })).toMatchObject({ differing: 0 });
  });
});

describe('functions that a test hands over', () => {
  const raising = (end: string) => readReplay({ stdout: `${nonce}${JSON.stringify({ v: 1, t: 't', end, ms: 1 })}`, nonce });

  it('counts a test in which their error comes through the gold and not through the patch', () => {
    expect(compare({ patch: raising('done'), gold: raising('threw EvalError') })).toMatchObject({ asked: 1, differing: 1 });
    expect(compare({ patch: raising('threw Error'), gold: raising('threw EvalError') })).toMatchObject({ asked: 1, differing: 0 });
    expect(compare({ patch: raising('done'), gold: raising('threw TypeError') })).toBeUndefined();
  });
});

describe('reading a replay', () => {
  it('lets the first word on an observation count and ignores lines without the nonce', () => {
    const read = record([{ value: '1' }], ['{"v":0,"t":"t","n":0,"k":"equal","ok":true,"a":"printed"}']);
    expect(read.observations.get('0|t|0')?.value).toBe('equal 1');
    const twice = record([{ value: '2' }], [`${nonce}${JSON.stringify({ v: 0, t: 't', n: 0, k: 'equal', ok: true, a: 'first' })}`]);
    expect(twice.observations.get('0|t|0')?.value).toBe('equal first');
  });

  it('reads any text', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string(),
            fc.json().map((json) => nonce + json),
          ),
        ),
        (lines) => {
          expect(readReplay({ stdout: lines.join('\n'), nonce }).finished).toBeTypeOf('boolean');
        },
      ),
    );
  });
});
