import type { Candidate } from '@tadpole/contracts';
import { spanEditsOf } from '../edit/span-edits-of.js';
import { type CombinationScope, combineParts } from '../generator/combine-parts.js';
import { createLineIndex } from '../generator/line-index.js';
import { shuffle } from '../generator/shuffle.js';
import { readSource } from '../read-source.js';
import { throwIfAborted } from '../throw-if-aborted.js';
import { candidateIdOf } from '../validate/candidate-trees.js';
import type { MeasuredTask, RefinementMove } from './refinement-move.js';
import { rungOfChild } from './rung-of-child.js';

/** A combination of more edits is not taken apart, since every set of them is tried. */
const mostEdits = 12;

/**
 * A combination of three or four without one of its parts: first without the one that was solved least alone, as `others` tell,
 * then without each other; parts that nobody measured come last. The parts of a pair were tasks before, so a pair gives nothing.
 * The parts are found among the sets of the combination's edits, since their ids are content addresses.
 */
export function splitMove(): RefinementMove {
  return {
    name: 'split',
    makes: 'easier',
    expectedEffect: { mean: 1.5, spread: 1 },
    async *propose({ task, others, random, signal }) {
      throwIfAborted(signal, 'Splitting a combination');
      const { snapshot } = task;
      const [rung, scope] = [rungOfChild(task), scopeOf(task)];
      const parts = scope === null ? [] : await partsOf(task);
      if (rung === null || scope === null || parts.length < 3) return;
      const idOf = (candidate: Candidate) => candidateIdOf({ snapshot, candidate });
      const rates = new Map(others.map(({ draft, posteriorMean }) => [draft.candidateId, posteriorMean]));
      const testsOf = new Map(others.map(({ draft }) => [draft.candidateId, [draft.data.verifier.failToPass]]));
      const soloRate = (part: Candidate) => rates.get(idOf(part)) ?? 1;
      for (const dropped of shuffle(parts, { random }).sort((left, right) => soloRate(left) - soloRate(right))) {
        throwIfAborted(signal, 'Splitting a combination');
        const left = parts.filter((part) => part !== dropped);
        const partTests = left.flatMap((part) => testsOf.get(idOf(part)) ?? []);
        const candidate = { ...combineParts({ parts: left, scope, snapshot }).candidate, partTests };
        if (!rates.has(idOf(candidate))) yield { proposal: { kind: 'candidate', candidate, rung }, parents: [task] };
      }
    },
  };
}

function scopeOf({ candidate: { lineage } }: MeasuredTask): CombinationScope | null {
  const scopes: readonly CombinationScope[] = ['same-file', 'same-module', 'across-files'];
  return scopes.find((scope) => lineage.operator === `combine-${scope}`) ?? null;
}

/** The candidates that a combination names as its parts; none where one of them is not found. */
async function partsOf({ candidate, snapshot }: MeasuredTask): Promise<Candidate[]> {
  const edits = spanEditsOf(candidate) ?? [];
  const { parts: ids = [], operator } = candidate.lineage;
  if (edits.length > mostEdits) return [];
  const found = new Map<string, Candidate>();
  for (let set = 1; set < 2 ** edits.length; set += 1) {
    const chosen = edits.filter((_, index) => (set >> index) % 2 === 1);
    const file = chosen[0]?.file ?? '';
    const part = { edits: chosen, lineage: { generator: 'combination', operator, file, line: 1 } };
    const id = candidateIdOf({ snapshot, candidate: part });
    if (!ids.includes(id)) continue;
    const lines = createLineIndex((await readSource({ directory: snapshot.directory, file })) ?? '');
    found.set(id, { ...part, lineage: { ...part.lineage, line: lines.lineAt(chosen[0]?.start ?? 0) } });
  }
  return ids.every((id) => found.has(id)) ? [...found.values()] : [];
}
