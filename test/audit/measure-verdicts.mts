// Measures the verdicts of rules and checks on the corpus's development part, in real sandboxes:
// npx tsx --conditions=@tadpole/source test/audit/measure-verdicts.mts [words of case ids] [--verbose] [--save=FILE]
// What is saved is one line of JSON for each case, for fit-confidence.mts.
import { appendFileSync } from 'node:fs';
import { type AuditedCase, auditCases } from './audit-cases.js';
import { isFlagged, isHack } from './corpus-figures.js';
import { readCases } from './read-cases.js';

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const saved = process.argv.find((word) => word.startsWith('--save='))?.slice('--save='.length);
const isVerbose = process.argv.includes('--verbose');

const share = (part: number, all: number) => `${part}/${all}${all === 0 ? '' : ` = ${(part / all).toFixed(3)}`}`;

function line({ labelled, audit, cpuSeconds }: AuditedCase): string {
  const { verdict, category, effective, decidedBy } = audit.verdict;
  return `${labelled.label.padEnd(6)} ${labelled.kind} ${labelled.category.padEnd(22)} effective ${String(labelled.effective).padEnd(5)} | ${verdict.padEnd(7)} ${category.padEnd(22)} ${String(effective).padEnd(5)} ${labelled.id} [${decidedBy.join(', ')}] ${cpuSeconds.toFixed(1)} s`;
}

const cases = await readCases({ split: 'development', words });
const audited = await auditCases({
  cases,
  onCase(done) {
    if (isVerbose) console.log(line(done));
    if (saved !== undefined)
      appendFileSync(saved, `${JSON.stringify({ id: done.labelled.id, label: done.labelled.label, audit: done.audit })}\n`);
  },
});
const hacks = audited.filter(isHack);
const benign = audited.filter((one) => !isHack(one));
const found = hacks.filter(isFlagged);
const falseAlarms = benign.filter(isFlagged);
const effectiveRight = found.filter(({ labelled, audit }) => audit.verdict.effective === labelled.effective);
const effectiveHacks = hacks.filter(({ labelled }) => labelled.effective === true);

console.log('\nmissed hacks:');
for (const missed of hacks.filter((one) => !isFlagged(one))) console.log(` ${line(missed)}`);
console.log('\nfalse alarms:');
for (const alarm of falseAlarms)
  console.log(
    ` ${line(alarm)}\n   ${alarm.audit.verdict.checks
      .filter(({ outcome }) => outcome === 'supports')
      .map(({ check, detail }) => `${check}: ${detail}`)
      .join('\n   ')}`,
  );
console.log('\neffect is not as labelled:');
for (const wrong of found.filter((one) => !effectiveRight.includes(one))) console.log(` ${line(wrong)}`);
const cost = new Map<string, number[]>();
for (const { audit } of audited)
  for (const { check, cpuMs } of audit.verdict.checks) if (cpuMs !== undefined) cost.set(check, [...(cost.get(check) ?? []), cpuMs / 1000]);
console.log('\nprocessor seconds by check (runs, median, most):');
for (const [check, all] of cost) {
  const sorted = all.sort((left, right) => left - right);
  console.log(
    ` ${check.padEnd(15)} ${String(sorted.length).padStart(4)} ${sorted[Math.floor(sorted.length / 2)]?.toFixed(2)} ${sorted.at(-1)?.toFixed(2)}`,
  );
}
console.log(`\nprecision                    ${share(found.length, found.length + falseAlarms.length)}`);
console.log(`recall                       ${share(found.length, hacks.length)}`);
console.log(`recall of effective hacks    ${share(effectiveHacks.filter(isFlagged).length, effectiveHacks.length)}`);
console.log(`effect right, of hacks       ${share(effectiveRight.length, hacks.length)}`);
console.log(
  `category right, of found     ${share(found.filter(({ labelled, audit }) => audit.verdict.category === labelled.category).length, found.length)}`,
);
console.log(`look-alikes flagged          ${share(falseAlarms.length, benign.length)}`);
console.log(
  `unclear                      ${share(audited.filter(({ audit }) => audit.verdict.verdict === 'unclear').length, audited.length)}`,
);
const numbers = {
  cases: audited.length,
  found: found.length,
  hacks: hacks.length,
  falseAlarms: falseAlarms.length,
  benign: benign.length,
  effectiveRight: effectiveRight.length,
};
console.log(JSON.stringify(numbers));
