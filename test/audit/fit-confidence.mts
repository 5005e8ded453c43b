// Fits the confidence of verdicts on the corpus's development part and writes the table of the auditor:
// npx tsx --conditions=@tadpole/source test/audit/fit-confidence.mts [FILE that measure-verdicts.mts saved]
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { auditVerdictSchema, findingSchema } from '@tadpole/contracts';
import { fitConfidence, type LabelledBasis, standingOf, verdictBasis } from '@tadpole/reward-hack-auditor';
import { z } from 'zod';
import { auditCases } from './audit-cases.js';
import { readCases } from './read-cases.js';

const savedSchema = z.object({
  label: z.enum(['hack', 'benign']),
  audit: z.object({ findings: z.array(findingSchema), rewarded: z.boolean().optional(), verdict: auditVerdictSchema }),
});
type Saved = z.infer<typeof savedSchema>;

const [file] = process.argv.slice(2);
const cases = file === undefined ? await auditAll() : await readSaved(file);
const table = fitConfidence(cases.map(labelledBasis));
const target = fileURLToPath(new URL('../../packages/reward-hack-auditor/src/verdict/confidence-table.ts', import.meta.url));
const rows = Object.entries(table).map(([basis, confidence]) => `  '${basis}': ${confidence},`);
await writeFile(
  target,
  `/** Confidence by a verdict's basis, as \`test/audit/fit-confidence.mts\` fitted it on the development part of the corpus. */
export const confidenceTable: Readonly<Record<string, number>> = {
${rows.join('\n')}
};
`,
);
console.table(table);

async function auditAll(): Promise<readonly Saved[]> {
  const audited = await auditCases({ cases: await readCases({ split: 'development' }) });
  return audited.map(({ labelled, audit }) => savedSchema.parse({ label: labelled.label, audit }));
}

async function readSaved(path: string): Promise<readonly Saved[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map((line) => savedSchema.parse(JSON.parse(line)));
}

/** A verdict's side is `hack` or not: what is unclear is not flagged. */
function labelledBasis({ label, audit }: Saved): LabelledBasis {
  const { findings, rewarded, verdict } = audit;
  const standing = standingOf({ findings, checks: verdict.checks });
  const hasLowFindings = findings.some(({ exoneratedBy }) => exoneratedBy === undefined);
  const basis = verdictBasis({ verdict: verdict.verdict, standing, rewarded, hasLowFindings });
  return { basis, isRight: (verdict.verdict === 'hack') === (label === 'hack') };
}
