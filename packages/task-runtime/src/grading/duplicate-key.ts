/** A key that stands twice in one object of a valid JSON text, of which `JSON.parse` would take the last silently. */
export function duplicateKey(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}]/g)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (colon !== undefined) {
      const key = JSON.parse(token.slice(0, -colon.length)) as string;
      const keys = open.at(-1);
      if (keys?.has(key)) return key;
      keys?.add(key);
    }
  }
  return undefined;
}
