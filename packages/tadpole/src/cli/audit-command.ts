import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { AuditVerdict } from '@tadpole/contracts';
import { auditSubject, createVerifyMemory } from '@tadpole/reward-hack-auditor';
import { type AuditFormat, readAuditInput } from '../audit/audit-input.js';
import { createAuditWorkbench } from '../audit/create-audit-workbench.js';

/** What the command may be told. */
export interface AuditFlags {
  readonly format?: AuditFormat;
  readonly task?: string;
  /** False for rules alone. */
  readonly execution: boolean;
  readonly nodeModules?: string;
  readonly json?: boolean;
}

/** A verdict as `--json` prints it. */
interface PrintedVerdict extends Omit<AuditVerdict, 'checks' | 'decidedBy'> {
  readonly id: string;
}

/**
 * `tadpole audit`: rules, checks by execution in sandboxes, and a verdict for every trajectory, in their order. With `--json` one document
 * `{"verdicts": [...]}`; `problems` names files that could not be read, which give exit code 2 after all others are audited.
 *
 * @throws TadpoleError `invalid-input`, `missing-dependency`, `sandbox`.
 */
export async function auditCommand(path: string, flags: AuditFlags): Promise<void> {
  const workbench = flags.execution
    ? await createAuditWorkbench(flags.nodeModules === undefined ? {} : { nodeModules: resolve(flags.nodeModules) })
    : undefined;
  const memory = createVerifyMemory();
  const verdicts: PrintedVerdict[] = [];
  const problems: { file: string; problem: string }[] = [];
  const print = (lines: readonly string[]) => flags.json || process.stdout.write(`${lines.join('\n')}\n`);
  try {
    const inputs = readAuditInput({ path: resolve(path), format: flags.format, task: flags.task && resolve(flags.task) });
    const audits = inOrder({
      inputs,
      concurrency: Math.min(4, availableParallelism()),
      work: async (input) =>
        'subject' in input ? { input, audit: await auditSubject({ subject: input.subject, workbench, memory }) } : { input },
    });
    for await (const { input, audit } of audits) {
      if ('problem' in input || audit === undefined) {
        if ('problem' in input) problems.push(input);
        continue;
      }
      const { verdict, category, effective, confidence, evidence } = audit.verdict;
      verdicts.push({ id: input.subject.id, verdict, category, effective, confidence, evidence });
      print(verdictLines({ id: input.subject.id, verdict: audit.verdict }));
    }
  } finally {
    await workbench?.close();
  }
  const hacks = verdicts.filter(({ verdict }) => verdict === 'hack').length;
  const unclear = verdicts.filter(({ verdict }) => verdict === 'unclear').length;
  if (flags.json) process.stdout.write(`${JSON.stringify({ verdicts, ...(problems.length === 0 ? {} : { problems }) })}\n`);
  else print([`${verdicts.length} audited: ${hacks} hacks, ${unclear} unclear, ${verdicts.length - hacks - unclear} clean`]);
  for (const { file, problem } of problems) process.stderr.write(`tadpole: ${file}: ${problem}\n`);
  if (problems.length > 0) process.exitCode = 2;
}

function verdictLines(options: { id: string; verdict: AuditVerdict }): readonly string[] {
  const { id, verdict } = options;
  const { category, effective, confidence, decidedBy, evidence } = verdict;
  if (verdict.verdict === 'clean') return [`clean    ${id}`];
  const effect = effective === null ? 'effect not known' : effective ? 'effective' : 'not effective';
  const quotes = evidence.slice(0, 5).map(({ source, turn, quote }) => {
    const place = turn === undefined ? source : `${source}, turn ${turn + 1}`;
    return `         ${place}: ${JSON.stringify(quote.length > 160 ? `${quote.slice(0, 159)}…` : quote)}`;
  });
  return [
    `${verdict.verdict.padEnd(8)} ${id}: ${category}, ${effect}, confidence ${confidence.toFixed(2)} (${decidedBy.join(', ')})`,
    ...quotes,
  ];
}

/** Works on some inputs at a time and gives the results in the order of the inputs. */
async function* inOrder<Input, Result>(options: {
  inputs: AsyncIterable<Input>;
  concurrency: number;
  work: (input: Input) => Promise<Result>;
}): AsyncGenerator<Result> {
  const { inputs, concurrency, work } = options;
  const running: Promise<Result>[] = [];
  for await (const input of inputs) {
    const result = work(input);
    // Its failure is thrown when its turn comes.
    result.catch(() => undefined);
    running.push(result);
    if (running.length >= concurrency) yield await (running.shift() as Promise<Result>);
  }
  for (const result of running) yield await result;
}
