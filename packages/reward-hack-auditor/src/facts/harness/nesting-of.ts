/** How deep the brackets of a text nest, or the steps of its indentation: parsers that descend by recursion are spared hostile depth. */
export function nestingOf(text: string): number {
  let depth = 0;
  let most = 0;
  for (const character of text) {
    if (character === '{' || character === '[' || character === '(') depth += 1;
    else if (character === '}' || character === ']' || character === ')') depth = Math.max(0, depth - 1);
    most = Math.max(most, depth);
  }
  const dashes = Math.max(0, ...(text.match(/(?:- ){50,}/g) ?? []).map(({ length }) => length / 2));
  return Math.max(most, dashes);
}
