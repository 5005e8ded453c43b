/** The first match of a sticky or global pattern from a place on. */
export function matchAt(pattern: RegExp, options: { text: string; at: number }): RegExpExecArray | undefined {
  pattern.lastIndex = options.at;
  return pattern.exec(options.text) ?? undefined;
}
