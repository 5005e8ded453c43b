import { z } from 'zod';
import { lineOf, placeChanges, replacementSchema, someText } from '../place-changes.js';
import { showSources } from '../source-file.js';
import type { CandidateKind } from './candidate-kind.js';

const schema = z.strictObject({
  feature: someText,
  changes: z.array(replacementSchema).refine(({ length }) => length > 0, 'expected at least one change'),
});

/**
 * BugPilot's FeatAdd (frognano.md section 1.10): the model adds a feature, and the tests that it breaks by accident are the
 * bug. The snapshot is the solution, so the gold patch takes the feature out again.
 */
export const featureBreaks: CandidateKind = {
  promptFile: 'feature-breaks.md',
  placeholders: ['project', 'sources'],
  async *questions({ snapshot, sources, prompt, maxSourceTokens, random }) {
    const shown = showSources({ sources, maxTokens: maxSourceTokens, random });
    if (shown === '') return;
    yield {
      text: prompt.fill({ project: snapshot.source, sources: shown }),
      schema,
      read({ changes }: ReturnType<typeof schema.parse>) {
        const edits = placeChanges({ snapshot, sources, changes });
        const [first] = edits as [(typeof edits)[number]];
        return { edits, file: first.file, line: lineOf({ sources, edit: first }) };
      },
    };
  },
};
