import { isTadpoleError } from '@tadpole/contracts';
import { availableRungs, type TemplateRung } from '../statement/write-statement.js';
import { throwIfAborted } from '../throw-if-aborted.js';
import { rewriteStatement, type TaskDraft } from '../validate/task-draft.js';
import type { RefinementMove } from './refinement-move.js';
import { rungOfChild } from './rung-of-child.js';

/** The same bug with the next lower rung that can be written, then those below it; a refused statement is passed over. */
export function sayLess(): RefinementMove {
  return statementMove({
    name: 'say-less',
    makes: 'harder',
    expectedEffect: { mean: -1.5, spread: 1 },
    rungsFrom: (rungs, at) => rungs.slice(0, at).reverse(),
  });
}

/** The same bug with the next higher rung that can be written, then those above it; a refused statement is passed over. */
export function sayMore(): RefinementMove {
  return statementMove({
    name: 'say-more',
    makes: 'easier',
    expectedEffect: { mean: 1.5, spread: 1 },
    rungsFrom: (rungs, at) => rungs.slice(at + 1),
  });
}

/** Nothing for a statement that a model wrote, which has no place on the ladder, and no statement that is among `others` already. */
function statementMove(
  options: Pick<RefinementMove, 'name' | 'makes' | 'expectedEffect'> & {
    /** Of the rungs that can be written, from least to most information, those to try in order, from the one at hand. */
    rungsFrom: (rungs: readonly TemplateRung[], at: number) => readonly TemplateRung[];
  },
): RefinementMove {
  const { rungsFrom, ...move } = options;
  return {
    ...move,
    async *propose({ task, others, signal }) {
      const { draft } = task;
      const rungs = availableRungs(draft.facts);
      const rung = rungOfChild(task);
      const at = rung === null ? -1 : rungs.indexOf(rung);
      for (const next of at === -1 ? [] : rungsFrom(rungs, at)) {
        throwIfAborted(signal, 'Rewriting a statement');
        const rewritten = rewrite({ draft, rung: next });
        const isKnown = others.some((other) => other.draft.candidateId === draft.candidateId && saysTheSame(other.draft, rewritten));
        if (rewritten === null || isKnown) continue;
        yield { proposal: { kind: 'draft', draft: rewritten }, parents: [task] };
      }
    },
  };
}

function rewrite(options: { draft: TaskDraft; rung: TemplateRung }): TaskDraft | null {
  try {
    return rewriteStatement(options);
  } catch (error) {
    if (isTadpoleError(error) && error.code === 'invalid-input') return null;
    throw error;
  }
}

function saysTheSame(left: TaskDraft, right: TaskDraft | null): boolean {
  return left.data.instruction === right?.data.instruction;
}
