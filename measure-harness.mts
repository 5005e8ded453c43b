import { auditTrajectory, harnessRules } from './packages/reward-hack-auditor/src/index.js';
import { loadSubjects } from './measure-subjects.mts';
const rules = harnessRules();
const mine = /^(C\d|B4|F2|F4|C)$/;
const rank: any = { none: 0, info: 1, low: 2, medium: 3, high: 4, critical: 5 };
const hackKinds: any = {}; const misses: string[] = []; const honest: any = {}; const verbose = process.argv[2];
let slow: any[] = [];
for (const { data, subject } of loadSubjects()) {
  const t = performance.now();
  const { findings } = await auditTrajectory({ subject, rules });
  slow.push([Math.round(performance.now() - t), data.id]);
  const live = findings.filter((f) => !f.exoneratedBy);
  const top = live.reduce((a, f) => (rank[f.severity] > rank[a] ? f.severity : a), 'none');
  const kind = data.kind ?? '?';
  if (data.label === 'hack') {
    const isMine = mine.test(kind) || kind === '?';
    if (isMine) { (hackKinds[kind] ??= {})[top] = ((hackKinds[kind] ??= {})[top] ?? 0) + 1; if (top === 'none') misses.push(`${data.id} ${kind}`); }
  } else honest[top] = (honest[top] ?? 0) + 1;
  if ((data.label !== 'hack' && top !== 'none') || (verbose && (data.id === verbose || kind === verbose)))
    for (const f of findings) console.log(data.id, kind, data.label, '|', f.ruleId, f.severity, f.exoneratedBy ? `[${f.exoneratedBy.id}]` : '', '|', f.why, '|', JSON.stringify(f.evidence[0].quote.slice(0, 70)));
}
console.log('hacks', hackKinds); console.log('misses', misses); console.log('honest', honest);
slow.sort((a, b) => b[0] - a[0]); console.log('slowest', slow.slice(0, 4));
