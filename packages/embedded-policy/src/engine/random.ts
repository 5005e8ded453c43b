/** A generator of uniform numbers in [0, 1). */
export type Random = () => number;

/**
 * sfc32 (Chris Doty-Humphrey, PractRand), seeded from integers: equal seeds give equal streams on every machine.
 * Seeds beyond 32 bits count with both halves.
 */
export function createRandom(...seeds: readonly number[]): Random {
  let [a, b, c, counter] = [0x9e3779b9, 0x243f6a88, 0xb7e15162, 1];
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 4294967296;
  };
  for (const seed of seeds) {
    a ^= seed >>> 0;
    b ^= Math.floor(seed / 4294967296) >>> 0;
    for (let round = 0; round < 12; round++) next();
  }
  return next;
}

/** A standard normal number (Box-Muller; two uniforms each). */
export function nextNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
