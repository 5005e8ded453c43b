/** FNV-1a over the UTF-16 units of a token, an unsigned 32-bit integer; `seed` gives an independent second hash. */
export function tokenHash(token: string, seed = 0x811c9dc5): number {
  let hash = seed;
  for (let index = 0; index < token.length; index += 1) hash = Math.imul(hash ^ token.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
