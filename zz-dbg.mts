import { readFileSync } from 'node:fs';
const g = '/work/wt/operators/packages/taskpilot/src/generator/';
const { createParserCache } = await import(g + 'syntax-parser.ts');
const { parseFile, collectSites } = await import(g + 'mutation-site.ts');
const { lineOperators, mutationOperators } = await import(g + 'mutation-operators.ts');
const { languageOf } = await import(g + 'languages/languages.ts');
const { nodeCovering } = await import(g + 'syntax-node.ts');
const file = process.argv[2]!;
const text = readFileSync(file, 'utf8');
const language = languageOf(file);
const parser = await createParserCache().parserFor(language.grammar);
const source = parseFile({ file, text, language, parser });
let n = 0;
for (const site of collectSites({ source, operators: lineOperators })) {
  const [r] = site.replacements;
  const e = source.tree.copy();
  const row = source.lines.lineAt(r.start) - 1, column = r.start - source.lines.startOf(row + 1);
  e.edit({ startIndex: r.start, oldEndIndex: r.end, newEndIndex: r.start + r.text.length, startPosition: { row, column }, oldEndPosition: { row, column: column + r.end - r.start }, newEndPosition: { row, column: column + r.text.length } });
  const t2 = text.slice(0, r.start) + r.text + text.slice(r.end);
  const p = parser.parse(t2, e);
  const ranges = e.getChangedRanges(p);
  let node = nodeCovering(source.root, r);
  while (node.parent && !language.blocks.includes(node.parent.type)) node = node.parent;
  for (const x of ranges) if (x.startIndex < node.start || x.endIndex > node.end + r.text.length - (r.end - r.start)) { if (n++ < 6) console.log(site.operator, site.line, JSON.stringify(text.slice(r.start, r.end)), '->', r.text, [node.start, node.end, node.type], x.startIndex, x.endIndex, JSON.stringify(t2.slice(x.startIndex, x.endIndex)).slice(0, 200)); }
  p.delete(); e.delete();
}
console.log(n);
