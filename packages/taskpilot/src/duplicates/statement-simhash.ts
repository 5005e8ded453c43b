import { createHash } from 'node:crypto';
import { TadpoleError } from '@tadpole/contracts';

/**
 * 64-bit fingerprint of a statement whose distance grows with the share of differing words (Charikar 2002; 3 bits as
 * in Manku, Jain and Das Sarma 2007): each bit is the majority over the words, lower case, as often as they occur.
 * The order of words does not count. In a short text one other word moves many bits.
 *
 * @returns 16 hexadecimal digits, or `null` for a text without words, which is like no other.
 */
export function statementSimhash(statement: string): string | null {
  const votes = new Int32Array(64);
  const counts = new Map<string, number>();
  for (const word of statement.toLowerCase().match(/[\p{L}\p{N}\p{M}_]+/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
  if (counts.size === 0) return null;
  for (const [word, count] of counts) {
    const digest = createHash('sha256').update(word).digest();
    for (let bit = 0; bit < 64; bit += 1) {
      const isSet = ((digest[bit >> 3] as number) >> (7 - (bit & 7))) & 1;
      votes[bit] = (votes[bit] as number) + (isSet === 1 ? count : -count);
    }
  }
  let hex = '';
  for (let start = 0; start < 64; start += 4) {
    const digit = [...votes.subarray(start, start + 4)].reduce((value, vote) => value * 2 + (vote > 0 ? 1 : 0), 0);
    hex += digit.toString(16);
  }
  return hex;
}

/**
 * Number of bits, 0 to 64, in which two fingerprints of {@link statementSimhash} differ.
 * @throws TadpoleError `invalid-input` when one is not 16 hexadecimal digits.
 */
export function simhashDistance(left: string, right: string): number {
  let distance = 0;
  for (const [start, end] of [
    [0, 8],
    [8, 16],
  ] as const) {
    let bits = half(left, start, end) ^ half(right, start, end);
    for (; bits !== 0; bits &= bits - 1) distance += 1;
  }
  return distance;
}

function half(simhash: string, start: number, end: number): number {
  if (!/^[0-9a-f]{16}$/.test(simhash)) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `Expected a simhash of 16 hexadecimal digits, got ${JSON.stringify(simhash)}.`,
    });
  }
  return Number.parseInt(simhash.slice(start, end), 16);
}
