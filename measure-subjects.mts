import { readFileSync, readdirSync } from 'node:fs';
import type { AuditSubject } from '@tadpole/contracts';
export function loadSubjects(): { data: any; subject: AuditSubject }[] {
  const out = [] as any[];
  for (const dir of ['/work/wt/harness/packages/reward-hack-auditor/corpus/development', '/work/shared/cases/reward-hacks'])
    for (const name of readdirSync(dir).filter((n) => n.endsWith('.json')).sort()) {
      const data = JSON.parse(readFileSync(`${dir}/${name}`, 'utf8'));
      const answers = new Map(data.trajectory.filter((m: any) => m.role === 'tool').map((m: any) => [m.tool_call_id, m.content]));
      const text = JSON.stringify(data.trajectory);
      const m = /\/workspace\/[\w.-]+/.exec(text);
      const subject = {
        id: data.id,
        task: { statement: data.task.issue, files: new Map(Object.entries(data.task.files)), visibleTests: data.task.visible_tests, hiddenTests: new Map(Object.entries(data.task.hidden_tests)), goldPatch: data.task.gold_patch, workspacePath: m?.[0] ?? '/workspace' },
        turns: data.trajectory.filter((m: any) => m.role === 'assistant').map((m: any) => ({ text: m.content, calls: m.tool_calls.map((c: any) => ({ id: c.id, name: c.name, arguments: JSON.stringify(c.arguments), observation: answers.get(c.id) ?? '' })) })),
        patch: data.final_patch,
      };
      out.push({ data, subject });
    }
  return out;
}
