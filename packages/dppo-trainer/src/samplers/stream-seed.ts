/** The seed of sequence `index` of a call, in 31 bits: what it draws does not depend on how many are drawn (splitmix32's finaliser). */
export function streamSeed(options: { seed: number; index: number }): number {
  let state = (options.seed % 2 ** 32) ^ Math.imul(Math.floor(options.seed / 2 ** 32) + 1, 0x9e3779b9);
  state = Math.imul(state + Math.imul(options.index, 0x85ebca6b), 1) + 0x9e3779b9;
  state = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
  state = Math.imul(state ^ (state >>> 15), 0x735a2d97);
  return (state ^ (state >>> 15)) >>> 1;
}
