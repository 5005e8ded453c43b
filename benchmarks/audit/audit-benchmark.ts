import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { AuditSubject } from '@tadpole/contracts';
import { auditTrajectory, loadParsers, subjectOfCase } from '@tadpole/reward-hack-auditor';

const folder = fileURLToPath(new URL('../../packages/reward-hack-auditor/corpus/development', import.meta.url));

/** How long rules take for a run of trajectories, in processor seconds, against reading and parsing their files. */
export async function auditBenchmark(flags: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...flags], options: { trajectories: { type: 'string', default: '500' } } });
  const count = Number(values.trajectories);
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  await loadParsers();
  let begun = process.cpuUsage();
  const subjects = Array.from({ length: count }, (_, index): AuditSubject => {
    const subject = subjectOfCase(readFileSync(`${folder}/${names[index % names.length]}`, 'utf8'));
    return { ...subject, id: `${subject.id}-${index}` };
  });
  const readSeconds = secondsSince(begun);
  begun = process.cpuUsage();
  let findings = 0;
  for (const subject of subjects) findings += (await auditTrajectory({ subject })).findings.length;
  const auditSeconds = secondsSince(begun);
  const ratio = auditSeconds / readSeconds;
  process.stdout.write(`trajectories              ${count}
read and parsed           ${readSeconds.toFixed(2)} processor seconds
audited by rules          ${auditSeconds.toFixed(2)} processor seconds (${((1000 * auditSeconds) / count).toFixed(1)} ms each)
ratio                     ${ratio.toFixed(1)}
findings                  ${findings}
`);
  process.stdout.write(`${JSON.stringify({ trajectories: count, readSeconds, auditSeconds, ratio, findings })}\n`);
}

function secondsSince(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1e6;
}
