/** A file's bytes with `\n` in the place of every `\r\n`, and of every lone `\r` where `loneReturns` says so. */
export function plainLineEnds(bytes: Uint8Array, options: { loneReturns: 'keep' | 'replace' }): Uint8Array {
  const plain = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (byte !== 0x0d) plain[length++] = byte;
    else if (bytes[at + 1] === 0x0a) continue;
    else plain[length++] = options.loneReturns === 'keep' ? byte : 0x0a;
  }
  return plain.subarray(0, length);
}
