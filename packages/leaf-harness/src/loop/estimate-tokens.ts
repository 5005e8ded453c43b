/** About how many tokens a text has when no tokenizer is at hand: UTF-8 bytes / 4, rounded up (frognano.md section 2.1). */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}
