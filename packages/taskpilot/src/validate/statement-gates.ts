import type { Gate, StatementRung } from '@tadpole/contracts';
import { lintDeterminacy } from '../statement/lint-determinacy.js';
import { lintStatement } from '../statement/lint-statement.js';
import { isProse, type StatementFacts } from '../statement/write-statement.js';
import { Refusal } from './validation.js';

/** Rungs that give the bug's line, or in the case of `region` lines among which it is. */
const givesLine: readonly StatementRung[] = ['region', 'line', 'quoted-line'];

/** Gates that follow from the statement alone, and are gone through again by another one. */
export const statementGateNames: readonly string[] = [
  'statement-determines-behaviour',
  'statement-gives-nothing-away',
  'tests-ask-no-more',
];

/**
 * A statement in prose says an input, what it gives and what it should give; no statement gives the fix away; tests of prose ask
 * for nothing that neither the statement nor the agent's tree holds. Throws {@link Refusal}.
 */
export function* statementGates(options: {
  statement: string;
  rung: StatementRung;
  facts: StatementFacts;
  /** Lines that the gold patch adds. */
  goldLines: readonly string[];
  operator: string;
  hiddenPaths: readonly string[];
  failToPass: readonly string[];
  passToPass: readonly string[];
  /** Identifiers that a statement of a model may say, beside those of `facts`. @default none */
  publicNames?: readonly string[];
}): Generator<Gate> {
  const { statement, rung, facts, failToPass, passToPass } = options;
  const isOfProse = isProse(rung) || rung === 'written';
  if (isProse(rung)) {
    const name = 'statement-determines-behaviour';
    const missing = lintDeterminacy({ statement, example: facts.example });
    if (missing.length > 0)
      throw new Refusal({ reason: 'under-specified', detail: `the statement does not say ${missing.join(', ')}`, gate: name });
    const { entryPoint, call, expected, observed, outcome } = facts.example ?? {};
    yield { name, passed: true, evidence: { entryPoint, call, outcome, observed, expected } };
  }
  const name = 'statement-gives-nothing-away';
  const testNames = [...failToPass, ...passToPass].map((id) => id.slice(id.indexOf('::') + 2).replace(/ #\d+$/, ''));
  const publicNames = [facts.example?.entryPoint, facts.contract?.signature, facts.functionName].filter((text) => text !== undefined);
  const lint = lintStatement({
    ...options,
    ...(givesLine.includes(rung) ? {} : { line: facts.line }),
    ...(isOfProse ? { prose: { testNames, publicNames: [...publicNames, ...(options.publicNames ?? [])] } } : {}),
  });
  if (!lint.ok) throw new Refusal({ reason: 'leaky-statement', detail: lint.leaks.join(', '), gate: name });
  yield { name, passed: true, evidence: { statement, rung } };
  if (isOfProse && facts.asked !== undefined) yield testsAskNoMore({ statement, asked: facts.asked, failToPass });
}

/** Refuses when every fail-to-pass test asks for a text that neither the statement nor the agent's tree holds. */
function testsAskNoMore(options: Pick<Required<StatementFacts>, 'asked'> & { statement: string; failToPass: readonly string[] }): Gate {
  const name = 'tests-ask-no-more';
  const asked = options.asked.filter(({ text }) => !options.statement.includes(text));
  const evidence = { asked };
  if (!options.failToPass.every((id) => asked.some(({ test }) => test === id))) return { name, passed: true, evidence };
  const detail = `every test asks for a text that the agent cannot know, such as ${asked[0]?.text ?? ''}`;
  throw new Refusal({ reason: 'over-tight-tests', detail, gate: name, evidence });
}
