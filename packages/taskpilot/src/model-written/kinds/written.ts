import { type Snapshot, taskTypeSchema } from '@tadpole/contracts';
import { z } from 'zod';
import { shuffle } from '../../generator/shuffle.js';
import { readSource } from '../../read-source.js';
import { assertNewFile, fail, lineOf, placeChanges, replacementSchema, someText, wholeFileSchema } from '../place-changes.js';
import { excerptSomewhere, showFile, showSources } from '../source-file.js';
import type { CandidateKind } from './candidate-kind.js';

const isFilled = ({ length }: { length: number }) => length > 0;
const schema = z.strictObject({
  taskType: taskTypeSchema,
  statement: someText,
  solution: z.array(z.union([replacementSchema, wholeFileSchema])).refine(isFilled, 'expected at least one change'),
  hiddenTests: z.array(wholeFileSchema).refine(isFilled, 'expected at least one test file'),
});

/**
 * FrogNano's own form (frognano.md section 1.3): statement, gold patch and hidden tests for work that the snapshot lacks. One
 * test file is shown for its style, in a quarter of the room for sources. Whether the tests tell the solution from the
 * snapshot, and whether the statement gives it away, is for validation to say.
 */
export const written: CandidateKind = {
  promptFile: 'written.md',
  placeholders: ['project', 'runner', 'sampleTest', 'sources', 'taskType'],
  async *questions({ snapshot, sources, prompt, maxSourceTokens, random }) {
    const shown = showSources({ sources, maxTokens: Math.floor(maxSourceTokens * 0.75), random });
    const sampleTest = await showTest({ snapshot, maxTokens: Math.floor(maxSourceTokens * 0.25), random });
    if (shown === '' || sampleTest === '') return;
    const { source: project, runner } = snapshot;
    for (const taskType of shuffle(taskTypeSchema.options, { random })) {
      yield {
        text: prompt.fill({ project, runner, sampleTest, sources: shown, taskType }),
        schema,
        read(answer: ReturnType<typeof schema.parse>) {
          const { statement, hiddenTests } = answer;
          if (answer.taskType !== taskType) fail('wrong-schema', `taskType is ${answer.taskType}; expected ${taskType}.`);
          const solution = placeChanges({ snapshot, sources, changes: answer.solution });
          for (const { file } of hiddenTests) assertNewFile({ snapshot, file });
          assertApart({ solution, hiddenTests });
          const [first] = solution as [(typeof solution)[number]];
          return { edits: [], solution, hiddenTests, statement, taskType, file: first.file, line: lineOf({ sources, edit: first }) };
        },
      };
    }
  },
};

/** Several changes of one source file are one place; a test file is another, and no file is a folder too. Throws an answer's fault. */
function assertApart(options: { solution: readonly { file: string }[]; hiddenTests: readonly { file: string }[] }): void {
  const files = [...new Set(options.solution.map(({ file }) => file)), ...options.hiddenTests.map(({ file }) => file)];
  const clash = files.find((file, index) => files.some((other, at) => at !== index && (other === file || other.startsWith(`${file}/`))));
  if (clash !== undefined) fail('wrong-file', `${clash} is given twice.`);
}

async function showTest(options: { snapshot: Snapshot; maxTokens: number; random: () => number }): Promise<string> {
  const { snapshot, maxTokens, random } = options;
  const [file] = shuffle(snapshot.testFiles, { random });
  const text = file === undefined ? null : await readSource({ directory: snapshot.directory, file });
  const part = text === null ? '' : excerptSomewhere({ text, maxTokens, random });
  return part === '' ? '' : showFile({ file: file as string, text: part });
}
