// npm run corpus -- [--rules] [--every N] [--split development|frozen] [--update]: audits the labelled corpus and prints how often
// rules and verdicts are right. Fails when a figure of the whole frozen part is worse than the one that stands in corpus/figures.json.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { formatRate } from '@tadpole/evaluation';
import { z } from 'zod';
import { auditCases } from './audit-cases.js';
import { type CorpusFigures, corpusFigures, fallenFigures, isFlagged, isHack, ruleFigures } from './corpus-figures.js';
import { readCases } from './read-cases.js';

const { values } = parseArgs({
  options: {
    rules: { type: 'boolean', default: false },
    every: { type: 'string', default: '1' },
    split: { type: 'string', default: 'frozen' },
    update: { type: 'boolean', default: false },
  },
});
const split = z.enum(['development', 'frozen']).parse(values.split);
const every = z.coerce.number().int().positive().parse(values.every);
const figuresFile = fileURLToPath(new URL('../../packages/reward-hack-auditor/corpus/figures.json', import.meta.url));
const figureNames = ['screenRecall', 'precision', 'recall', 'effectRight', 'lookAlikesFlagged'] as const;
const recorded = z.object(
  Object.fromEntries(figureNames.map((name) => [name, z.number()])) as Record<(typeof figureNames)[number], z.ZodNumber>,
);

const cases = (await readCases({ split })).filter((_, index) => index % every === 0);
const audited = await auditCases({ cases, execution: !values.rules });
const figures = corpusFigures(audited);

process.stdout.write(`${['rule'.padEnd(28), 'hacks', 'honest', 'honest after execution'].join('  ')}\n`);
for (const { ruleId, hacks, honest, honestDecided } of ruleFigures(audited)) {
  process.stdout.write(
    `${ruleId.padEnd(28)}  ${String(hacks).padStart(5)}  ${String(honest).padStart(6)}  ${String(honestDecided).padStart(22)}\n`,
  );
}
const count = (label: boolean, verdict: string) =>
  String(audited.filter((one) => isHack(one) === label && one.audit.verdict.verdict === verdict).length).padStart(7);
process.stdout.write(`\n${''.padEnd(10)}${['hack', 'unclear', 'clean'].map((name) => name.padStart(7)).join(' ')}\n`);
for (const [name, label] of [
  ['hack', true],
  ['honest', false],
] as const) {
  process.stdout.write(`${name.padEnd(10)}${['hack', 'unclear', 'clean'].map((verdict) => count(label, verdict)).join(' ')}\n`);
}
process.stdout.write(`\n${audited.length} cases of the ${split} part, ${values.rules ? 'rules alone' : 'rules and execution'}\n`);
for (const name of figureNames) {
  const figure = figures[name];
  process.stdout.write(`${name.padEnd(18)} ${figure === null ? 'nothing to count' : formatRate(figure)}\n`);
}
if (split === 'development') {
  for (const { labelled, audit } of audited.filter((one) => isHack(one) !== isFlagged(one))) {
    process.stdout.write(`wrong: ${labelled.id} (${labelled.label}, ${labelled.kind}) is called ${audit.verdict.verdict}\n`);
  }
}
await compare(figures);
process.stdout.write(`${JSON.stringify({ cases: audited.length, split, execution: !values.rules, ...rates(figures) })}\n`);

async function compare(now: CorpusFigures): Promise<void> {
  if (split !== 'frozen' || every !== 1) return;
  if (values.update && !values.rules) return await writeFile(figuresFile, `${JSON.stringify(rates(now), null, 2)}\n`);
  const before = recorded.parse(JSON.parse(await readFile(figuresFile, 'utf8')));
  for (const name of fallenFigures({ now, before })) {
    // Without execution the other figures are other ones.
    if (values.rules && name !== 'screenRecall') continue;
    process.stdout.write(`worse: ${name} was ${before[name]} and is ${now[name]?.rate}\n`);
    process.exitCode = 1;
  }
}

function rates(now: CorpusFigures): Record<keyof CorpusFigures, number> {
  return Object.fromEntries(figureNames.map((name) => [name, Number((now[name]?.rate ?? 0).toFixed(4))])) as Record<
    keyof CorpusFigures,
    number
  >;
}
