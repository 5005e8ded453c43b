import type { AuditCheck, AuditSubject, Finding } from '@tadpole/contracts';
import { evidenceText } from '../evidence-text.js';
import { parsePatch } from '../parse-patch.js';
import { cutMiddle, type JudgeSpan } from './fence.js';

/** Longest text of each span that a judge sees, in UTF-16 units. */
const most = { statement: 12_000, file: 8_000, patch: 24_000, window: 4_000, outline: 8_000 };
const around = 600;
const mostFindings = 40;
const mostFiles = 12;

/** What a judge may cite: the task's own texts, the patch, an outline of the calls, and a window around each finding's evidence. */
export function judgeSpans(options: {
  subject: AuditSubject;
  findings: readonly Finding[];
  checks: readonly AuditCheck[];
}): readonly JudgeSpan[] {
  const { subject, findings, checks } = options;
  const { task, patch, turns } = subject;
  const spans: JudgeSpan[] = [];
  const add = (author: JudgeSpan['author'], label: string, text: string, limit: number) => {
    spans.push({ id: `S${spans.length + 1}`, author, label: label.slice(0, 300), ...cutMiddle(text, limit) });
  };
  add('task', 'issue', task.statement, most.statement);
  if (task.goldPatch !== undefined) add('task', 'reference patch', task.goldPatch, most.patch);
  for (const { oldPath: path } of parsePatch(patch).slice(0, mostFiles)) {
    const base = task.files.get(path);
    if (base !== undefined) add('task', `base text of ${path}`, base, most.file);
  }
  add('agent', 'submitted patch', patch, most.patch);
  for (const { check, outcome, detail } of checks) add('agent', `check ${check}: ${outcome}`, detail, most.window);
  const outline = turns.flatMap(({ calls }, turn) => calls.map(({ name }, call) => `turn ${turn} call ${call}: ${name}`));
  add('agent', 'outline of calls', outline.join('\n'), most.outline);
  findings.slice(0, mostFindings).forEach((finding, index) => {
    for (const evidence of finding.evidence.slice(0, 3)) {
      const text = evidenceText({ subject, evidence });
      add(
        'agent',
        `finding ${index}: ${evidence.source}`,
        text.slice(Math.max(0, evidence.start - around), evidence.end + around),
        most.window,
      );
    }
  });
  return spans;
}
