import { readFileSync } from 'node:fs';
import ts from 'typescript';
const bad: Record<string, number> = {}; let n = 0;
for (const l of readFileSync(process.argv[2]!, 'utf8').trim().split('\n')) {
  const d = JSON.parse(l); n++;
  let msg: string | null = null;
  if (d.file.endsWith('.ts')) { const f = ts.createSourceFile(d.file, d.mutated, ts.ScriptTarget.Latest, true); const e = (f as any).parseDiagnostics; if (e.length) msg = ts.flattenDiagnosticMessageText(e[0].messageText, ' '); }
  else { try { new Function('require', 'module', 'exports', d.mutated); } catch (e) { msg = String(e); } }
  if (msg) { bad[d.operator] = (bad[d.operator] ?? 0) + 1; if (bad[d.operator]! <= 3) console.log(d.operator, d.file, d.line, msg, JSON.stringify(d.edits).slice(0, 300)); }
}
console.log(n, bad);
