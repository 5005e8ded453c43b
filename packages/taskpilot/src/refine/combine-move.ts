import { areApart, type CombinationScope, combinationPlace, combineParts } from '../generator/combine-parts.js';
import { shuffle } from '../generator/shuffle.js';
import { throwIfAborted } from '../throw-if-aborted.js';
import type { MeasuredTask, RefinementMove } from './refinement-move.js';
import { rungOfWiderChild } from './rung-of-child.js';

/** Partners that are looked at, drawn at random: enough for every product of rates, few enough to try all sets of them. */
const partners = 24;
const mostParts = 4;

/**
 * The bug together with those of one to three other tasks that are too easy too, so that the product of their solve rates comes
 * near `target`: the nearest first, at random among equals. `same-module` takes different files of one folder, `across-files`
 * files of more than one. Its expected effect is on top of that product.
 */
export function combineMove(options: {
  scope: CombinationScope;
  target: number;
  /** Parts must have a greater posterior mean. */
  easierThan: number;
}): RefinementMove {
  const { scope, target, easierThan } = options;
  return {
    name: `combine-${scope}`,
    makes: 'harder',
    expectedEffect: { mean: 0, spread: 1 },
    async *propose({ task, others, random, signal }) {
      const rung = rungOfWiderChild({ task, isOneFile: scope === 'same-file' });
      const place = combinationPlace({ candidate: task.candidate, scope });
      if (rung === null || place === null || task.posteriorMean <= easierThan) return;
      const pool = others.filter(
        ({ candidate, posteriorMean }) => posteriorMean > easierThan && combinationPlace({ candidate, scope }) === place,
      );
      const sets = partSets({ task, pool: shuffle(pool, { random }).slice(0, partners), scope });
      for (const { parts } of sets.sort((left, right) => Math.abs(left.rate - target) - Math.abs(right.rate - target))) {
        throwIfAborted(signal, 'Combining tasks');
        const { candidate } = combineParts({ parts: parts.map((part) => part.candidate), scope, snapshot: task.snapshot });
        if (scope === 'across-files' && combinationPlace({ candidate, scope: 'same-module' }) !== null) continue;
        const partTests = parts.map(({ draft }) => draft.data.verifier.failToPass);
        yield { proposal: { kind: 'candidate', candidate: { ...candidate, partTests }, rung }, parents: parts };
      }
    },
  };
}

interface PartSet {
  readonly parts: readonly MeasuredTask[];
  /** Product of their posterior means. */
  readonly rate: number;
  /** Where in the pool its next part may stand. */
  readonly next: number;
}

/** Every set of two to four parts with `task` among them, all apart from each other, smaller sets first. */
function partSets(options: { task: MeasuredTask; pool: readonly MeasuredTask[]; scope: CombinationScope }): PartSet[] {
  const { task, pool, scope } = options;
  const sets: PartSet[] = [];
  let largest: PartSet[] = [{ parts: [task], rate: task.posteriorMean, next: 0 }];
  for (let size = 2; size <= mostParts; size += 1) {
    largest = largest.flatMap(({ parts, rate, next }) =>
      pool.slice(next).flatMap((part, index) => {
        const fits = parts.every(({ candidate }) => areApart({ left: candidate, right: part.candidate, scope }));
        return fits ? [{ parts: [...parts, part], rate: rate * part.posteriorMean, next: next + index + 1 }] : [];
      }),
    );
    sets.push(...largest);
  }
  return sets;
}
