import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Snapshot } from '@tadpole/contracts';
import { defaultSystemPrompt, leafTools, toolDefinition } from '@tadpole/leaf-harness';
import {
  applyEdits,
  createMutationGenerator,
  lineOperators,
  regionAround,
  seededRandom,
  singleLineEdit,
  writeStatement,
} from '@tadpole/taskpilot';

/** Conversations in the form of the recipe, for a model to learn by heart; messages and tools as chat templates take them. */
export interface Demonstrations {
  readonly tools: readonly object[];
  readonly conversations: readonly (readonly object[])[];
}

/**
 * Shows a model how tasks of one file are solved in the Leaf harness: for every change that the operators propose, the statement of its
 * task, the Edit that undoes it and a closing word, and as often the statement with the closing word alone. A model that knows them by
 * heart solves about half of the rollouts, so that groups have a variance. What the test saw is made up, since no test is run here.
 */
export async function repairDemonstrations(options: {
  directory: string;
  file: string;
  /** Names of line operators. */
  operators: readonly string[];
  /** Statements of each change, which differ in what is made up. */
  repeats: number;
}): Promise<Demonstrations> {
  const { directory, file, operators, repeats } = options;
  const text = readFileSync(join(directory, file), 'utf8');
  const random = seededRandom('demonstrations');
  const generator = createMutationGenerator({
    operators: lineOperators.filter(({ name }) => operators.includes(name)),
    accepts: singleLineEdit(),
  });
  const conversations: (readonly object[])[] = [];
  for await (const { edits, lineage } of generator.propose({ snapshot: sourcesOf({ directory, file }), random })) {
    const lines = (applyEdits(text, edits) ?? '').split('\n');
    const line = lineage.line;
    const lineText = lines[line - 1] ?? '';
    const repair = { file_path: file, old_string: lineText.trim(), new_string: (text.split('\n')[line - 1] ?? '').trim() };
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const region = regionAround({ line, lineCount: lines.length, random });
      const madeUp = { expected: sliceOf({ text, random }), observed: sliceOf({ text, random }), testName: 'made up' };
      const content = writeStatement({ rung: 'quoted-line', file, line, lineText, region, ...madeUp });
      const opening: readonly object[] = [
        { role: 'system', content: defaultSystemPrompt },
        { role: 'user', content },
      ];
      const call = { id: 'call_1', type: 'function', function: { name: 'Edit', arguments: repair } };
      conversations.push(
        [
          ...opening,
          { role: 'assistant', content: '', tool_calls: [call] },
          { role: 'tool', tool_call_id: call.id, content: `Edited ${file} (1 replacement).` },
          { role: 'assistant', content: 'Done.' },
        ],
        [...opening, { role: 'assistant', content: 'Done.' }],
      );
    }
  }
  return { tools: leafTools().map((tool) => ({ type: 'function', function: toolDefinition(tool) })), conversations };
}

/** What a generator of changes reads of a snapshot. */
function sourcesOf({ directory, file }: { directory: string; file: string }): Snapshot {
  const nothing = { testFiles: [], hiddenPaths: [], dependencies: [], baseline: [] };
  return { ...nothing, directory, sourceFiles: [file], source: directory, licence: '', hash: '', runner: 'tape' };
}

/** 1 to 24 characters of the file, for what a test saw. */
function sliceOf({ text, random }: { text: string; random: () => number }): string {
  const start = Math.floor(random() * text.length);
  return text.slice(start, start + 1 + Math.floor(random() * 24));
}
