import type { Gate, StatementRung } from '@tadpole/contracts';
import { createLineIndex } from '../generator/line-index.js';
import { regionAround } from '../statement/region-around.js';
import { availableRungs, isProse, type StatementFacts, type TemplateRung, writeStatement } from '../statement/write-statement.js';
import { chooseSymptom } from './choose-symptom.js';
import { furtherSymptoms } from './further-symptoms.js';
import { readAsked, readExampleFacts, readTest, type StatedCandidate } from './read-example-facts.js';
import { statementGates } from './statement-gates.js';
import { addedLines } from './task-draft.js';
import { Refusal } from './validation.js';

/** The instruction with what it was written from. */
export interface StatedTask {
  readonly instruction: string;
  readonly rung: StatementRung;
  readonly facts: StatementFacts;
}

/**
 * The candidate's own statement, else the rung's template filled from what the failing tests printed and, for prose, from an
 * example that is run on both trees; linted either way. Throws {@link Refusal}.
 */
export async function stateTask(
  options: StatedCandidate & {
    goldPatch: string;
    passToPass: readonly string[];
    rung: TemplateRung;
    /** Whether an example is run also for rungs that show none, so that a draft can move to those that do. */
    examples: 'when-stated' | 'always';
    random: () => number;
    /** Gates are added to it as they are passed. */
    gates: Gate[];
  },
): Promise<StatedTask> {
  const { candidate, files, buggy, goldPatch, snapshot, examples, random } = options;
  const { file, line, operator } = candidate.lineage;
  const symptom = chooseSymptom(buggy);
  if (symptom === null && candidate.statement === undefined)
    throw new Refusal({ reason: 'no-symptom', detail: 'no failing test reported the same twice', gate: 'statement-is-true' });
  const text = files.find(({ path }) => path === file)?.agent ?? '';
  const { lineCount } = createLineIndex(text);
  const lineText = (text.split(/\r?\n/)[line - 1] ?? '').trimEnd();
  const region = regionAround({ line, lineCount, random });
  const rung = candidate.statement === undefined ? options.rung : 'written';
  const showsExample = isProse(rung) || examples === 'always';
  const read = showsExample ? await readExampleFacts(options) : { facts: {}, gates: [] };
  options.gates.push(...read.gates);
  const asked = showsExample || rung === 'written' ? { asked: await readAsked(options) } : {};
  const facts: StatementFacts = {
    file,
    line,
    lineText,
    region,
    ...(symptom ?? { testName: buggy.first[0]?.name ?? '' }),
    ...furtherSymptoms({ partTests: candidate.partTests, buggy, told: symptom?.testName }),
    ...read.facts,
    ...asked,
  };
  if (isProse(rung) && !availableRungs(facts).includes(rung)) {
    const [detail, gate] =
      facts.example === undefined
        ? ['no failing input of a test could be run by itself', 'example-reproduces']
        : [`nothing is known for the ${rung} rung, only for ${availableRungs(facts).join(', ')}`, 'statement-determines-behaviour'];
    throw new Refusal({ reason: 'under-specified', detail, gate });
  }
  const instruction = candidate.statement ?? writeStatement({ ...facts, rung: options.rung });
  const passed = statementGates({
    ...{ statement: instruction, rung, facts, goldLines: addedLines(goldPatch), operator, hiddenPaths: snapshot.hiddenPaths },
    ...{ failToPass: buggy.failToPass, passToPass: options.passToPass },
    ...(rung === 'written' ? { publicNames: await testTexts(options) } : {}),
  });
  for (const gate of passed) options.gates.push(gate);
  return { instruction, rung, facts };
}

/** What the failing tests call is public, and a model's statement must be free to say it. */
async function testTexts(options: StatedCandidate): Promise<string[]> {
  const files = [...new Set(options.buggy.first.map(({ file }) => file))];
  return (await Promise.all(files.map((file) => readTest(options, file)))).filter((text) => text !== null);
}
