/** Token ids [length], equal for equal seeds (a multiplicative congruential generator). */
export function randomTokens(options: { length: number; vocabularySize: number; seed: number }): Int32Array {
  let state = options.seed + 1;
  return Int32Array.from({ length: options.length }, () => {
    state = (state * 48271) % 2147483647;
    return state % options.vocabularySize;
  });
}
