import { mutationOperators } from '../generator/mutation-operators.js';
import { collectSites } from '../generator/mutation-site.js';
import { parsesClean } from '../generator/parses-clean.js';
import { shuffle } from '../generator/shuffle.js';
import { throwIfAborted } from '../throw-if-aborted.js';
import { candidateIdOf } from '../validate/candidate-trees.js';
import { candidateAt, openFaultSite, spanOf } from './fault-site.js';
import type { RefinementMove } from './refinement-move.js';
import { rungOfChild } from './rung-of-child.js';

/**
 * In place of the bug, another one of the procedural generator in the same function that changes fewer characters: the smallest
 * first, at random among equals; none that is among `others` already.
 */
export function smallerMove(): RefinementMove {
  return {
    name: 'smaller',
    makes: 'easier',
    expectedEffect: { mean: 1.5, spread: 1 },
    async *propose({ task, others, random, signal }) {
      throwIfAborted(signal, 'Looking for a smaller bug');
      const rung = rungOfChild(task);
      const fault = rung === null ? null : await openFaultSite({ task, signal });
      if (rung === null || fault === null) return;
      const { source, edits, around } = fault;
      try {
        const sites = collectSites({ source, operators: mutationOperators })
          .map((site) => ({ site, size: sizeOf(site.replacements), ...spanOf(site.replacements) }))
          .filter(({ start, end, size }) => around.start <= start && end <= around.end && size < sizeOf(edits));
        const known = new Set(others.map(({ draft }) => draft.candidateId));
        for (const { site } of shuffle(sites, { random }).sort((left, right) => left.size - right.size)) {
          throwIfAborted(signal, 'Looking for a smaller bug');
          const candidate = candidateAt(site);
          const id = candidateIdOf({ snapshot: task.snapshot, candidate });
          if (known.has(id) || !parsesClean(site)) continue;
          known.add(id);
          yield { proposal: { kind: 'candidate', candidate, rung }, parents: [task] };
        }
      } finally {
        source.tree.delete();
      }
    },
  };
}

/** Characters taken away and put in. */
function sizeOf(edits: readonly { readonly start: number; readonly end: number; readonly text: string }[]): number {
  return edits.reduce((sum, { start, end, text }) => sum + end - start + text.length, 0);
}
