import { spanEditsOf } from '../edit/span-edits-of.js';
import { languageOf } from '../generator/languages/languages.js';
import { mutationOperators } from '../generator/mutation-operators.js';
import { widenCandidate } from '../generator/widen-candidate.js';
import type { RefinementMove } from './refinement-move.js';
import { rungOfWiderChild } from './rung-of-child.js';

/** The same mistake made at a second place, as {@link widenCandidate} finds it; for bugs of one operator of the procedural generator. */
export function widenMove(): RefinementMove {
  return {
    name: 'widen',
    makes: 'harder',
    expectedEffect: { mean: -1.5, spread: 1 },
    async *propose({ task, random, signal }) {
      const { candidate, snapshot } = task;
      const { operator, file } = candidate.lineage;
      const isKnown = mutationOperators.some(({ name }) => name === operator) && languageOf(file) !== null;
      if (!isKnown || !snapshot.sourceFiles.includes(file) || spanEditsOf(candidate) === null) return;
      for await (const wider of widenCandidate({ snapshot, candidate, random, ...(signal === undefined ? {} : { signal }) })) {
        const rung = rungOfWiderChild({ task, isOneFile: wider.edits.every((edit) => edit.file === file) });
        if (rung === null) return;
        const partTests = [task.draft.data.verifier.failToPass];
        yield { proposal: { kind: 'candidate', candidate: { ...wider, partTests }, rung }, parents: [task] };
      }
    },
  };
}
