import type { Candidate, Gate, StatementRung } from '@tadpole/contracts';
import { createLineIndex } from '../generator/line-index.js';
import { lintStatement } from '../statement/lint-statement.js';
import { regionAround } from '../statement/region-around.js';
import { type StatementFacts, type TemplateRung, writeStatement } from '../statement/write-statement.js';
import type { TreeFile } from './candidate-trees.js';
import { chooseSymptom } from './choose-symptom.js';
import type { BuggyRuns } from './run-buggy-tree.js';
import { addedLines, statementGate } from './task-draft.js';
import { Refusal } from './validation.js';

/** The instruction with what it was written from. */
export interface StatedTask {
  readonly instruction: string;
  readonly rung: StatementRung;
  readonly facts: StatementFacts;
  readonly gate: Gate;
}

/**
 * The candidate's own statement, else the rung's template filled from what the failing tests printed; linted either way.
 * Throws {@link Refusal}.
 */
export function stateTask(options: {
  candidate: Candidate;
  files: readonly TreeFile[];
  buggy: BuggyRuns;
  goldPatch: string;
  hiddenPaths: readonly string[];
  rung: TemplateRung;
  random: () => number;
}): StatedTask {
  const { candidate, files, buggy, goldPatch, hiddenPaths, random } = options;
  const { file, line, operator } = candidate.lineage;
  const symptom = chooseSymptom(buggy);
  if (symptom === null && candidate.statement === undefined)
    throw new Refusal({ reason: 'no-symptom', detail: 'no failing test reported the same twice', gate: 'statement-is-true' });
  const text = files.find(({ path }) => path === file)?.agent ?? '';
  const { lineCount } = createLineIndex(text);
  const lineText = (text.split(/\r?\n/)[line - 1] ?? '').trimEnd();
  const region = regionAround({ line, lineCount, random });
  const facts = { file, line, lineText, region, ...(symptom ?? { testName: buggy.first[0]?.name ?? '' }) };
  const rung = candidate.statement === undefined ? options.rung : 'written';
  const instruction = candidate.statement ?? writeStatement({ ...facts, rung: options.rung });
  const lint = lintStatement({ statement: instruction, goldLines: addedLines(goldPatch), operator, hiddenPaths });
  if (!lint.ok) throw new Refusal({ reason: 'leaky-statement', detail: lint.leaks.join(', '), gate: statementGate });
  return { instruction, rung, facts, gate: { name: statementGate, passed: true, evidence: { statement: instruction, rung } } };
}
