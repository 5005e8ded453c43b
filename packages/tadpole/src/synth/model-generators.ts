import type { Generator } from '@tadpole/contracts';
import { createModelGenerator, type ModelCandidateKind, type ModelEndpoint } from '@tadpole/taskpilot';
import { recordReplies } from './record-replies.js';

const kinds: readonly ModelCandidateKind[] = ['bug', 'reimplement', 'feature-breaks', 'written'];

/**
 * A generator for each kind of candidate that a model can write, all with one endpoint whose answers are kept in a folder, and
 * what they have spent on it, answers that were read from the folder included. @throws TadpoleError as `createModelGenerator` does.
 */
export function modelGenerators(options: { author: ModelEndpoint; folder: string }): {
  readonly generators: readonly Generator[];
  /** United States dollars; `undefined` where the endpoint has no price. */
  spentUsd(): number | undefined;
} {
  const { author, folder } = options;
  const send = recordReplies({ folder, ...(author.fetch === undefined ? {} : { fetch: author.fetch }) });
  const generators = kinds.map((kind) => createModelGenerator({ endpoint: { ...author, fetch: send }, kind }));
  return {
    generators,
    spentUsd() {
      const spent = generators.flatMap((generator) => generator.spent().costUsd ?? []);
      return spent.length === 0 ? undefined : spent.reduce((sum, usd) => sum + usd, 0);
    },
  };
}
