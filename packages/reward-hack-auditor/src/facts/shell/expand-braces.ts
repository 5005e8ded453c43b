/** No brace expression gives more words than this. */
const most = 200;

/** The words of `a{b,c}d` and `a{1..3}`; one word where there is nothing to expand. `$` before a brace is no expansion of this kind. */
export function expandBraces(word: string): string[] {
  let open = [word];
  const done: string[] = [];
  for (let rounds = 0; open.length > 0 && rounds < most; rounds += 1) {
    const next: string[] = [];
    for (const text of open) {
      const parts = expandOnce(text);
      if (parts === undefined) done.push(text);
      else next.push(...parts);
      if (done.length + next.length > most) return [word];
    }
    open = next;
  }
  return open.length > 0 ? [word] : done;
}

function expandOnce(text: string): string[] | undefined {
  const range = /(^|[^$])\{(-?\d{1,6})\.\.(-?\d{1,6})\}/.exec(text);
  if (range) {
    const before = text.slice(0, range.index + (range[1]?.length ?? 0));
    const after = text.slice(range.index + range[0].length);
    const [from, to] = [Number(range[2]), Number(range[3])];
    if (Math.abs(to - from) > most) return undefined;
    const step = from <= to ? 1 : -1;
    return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => `${before}${from + index * step}${after}`);
  }
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) {
    if (text[at - 1] === '$') continue;
    const group = readGroup(text, at);
    if (group) return group.parts.map((part) => text.slice(0, at) + part + text.slice(group.end));
  }
  return undefined;
}

function readGroup(text: string, start: number): { parts: string[]; end: number } | undefined {
  const parts: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < text.length && at < start + 2000; at += 1) {
    const character = text[at];
    if (character === '{') depth += 1;
    else if (character === ',' && depth === 1) {
      parts.push(text.slice(from, at));
      from = at + 1;
    } else if (character === '}') {
      depth -= 1;
      if (depth > 0) continue;
      parts.push(text.slice(from, at));
      return parts.length > 1 ? { parts, end: at + 1 } : undefined;
    }
  }
  return undefined;
}
