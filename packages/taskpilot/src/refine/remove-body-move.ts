import { collectSites } from '../generator/mutation-site.js';
import { removeBody } from '../generator/operators/remove-body.js';
import { parsesClean } from '../generator/parses-clean.js';
import { throwIfAborted } from '../throw-if-aborted.js';
import { candidateAt, openFaultSite, spanOf } from './fault-site.js';
import type { RefinementMove } from './refinement-move.js';
import { rungOfChild } from './rung-of-child.js';

/** In place of the bug, the body of the function around it is gone and must be written again. One child, or none. */
export function removeBodyMove(): RefinementMove {
  return {
    name: 'remove-body',
    makes: 'harder',
    expectedEffect: { mean: -1.5, spread: 1 },
    async *propose({ task, signal }) {
      throwIfAborted(signal, 'Removing a body');
      const rung = rungOfChild(task);
      const fault = rung === null || task.candidate.lineage.operator === removeBody.name ? null : await openFaultSite({ task, signal });
      if (rung === null || fault === null) return;
      const { source, edits } = fault;
      try {
        const own = spanOf(edits);
        const [nearest] = collectSites({ source, operators: [removeBody] })
          .map((site) => ({ site, ...spanOf(site.replacements) }))
          .filter(({ start, end }) => start <= own.start && own.end <= end)
          .sort((left, right) => left.end - left.start - (right.end - right.start));
        if (nearest === undefined || !parsesClean(nearest.site)) return;
        yield { proposal: { kind: 'candidate', candidate: candidateAt(nearest.site), rung }, parents: [task] };
      } finally {
        source.tree.delete();
      }
    },
  };
}
