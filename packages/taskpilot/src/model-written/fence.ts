/** Text as a block that it cannot close: its fence has more backticks than any run of them inside. */
export function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const mark = '`'.repeat(longest + 1);
  return `${mark}\n${text.replace(/\n$/, '')}\n${mark}`;
}
