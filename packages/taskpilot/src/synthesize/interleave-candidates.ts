import type { Candidate, Generator, Snapshot } from '@tadpole/contracts';
import { seededRandom } from '../seeded-random.js';

/** A candidate and the snapshot that it changes. */
export interface Proposal {
  readonly snapshot: Snapshot;
  readonly candidate: Candidate;
}

/** Candidates of several snapshots in turn, each with its own stream of randomness, so none depends on another. */
export async function* interleaveCandidates(options: {
  snapshots: readonly Snapshot[];
  generator: Generator;
  seed: number | string;
  signal: AbortSignal;
}): AsyncGenerator<Proposal> {
  const { generator, seed, signal } = options;
  let sources = options.snapshots.map((snapshot) => {
    const random = seededRandom(`${seed} propose ${snapshot.hash}`);
    return { snapshot, candidates: generator.propose({ snapshot, random, signal })[Symbol.asyncIterator]() };
  });
  try {
    while (sources.length > 0) {
      for (const source of [...sources]) {
        const step = await source.candidates.next();
        if (step.done === true) sources = sources.filter((other) => other !== source);
        else yield { snapshot: source.snapshot, candidate: step.value };
      }
    }
  } finally {
    await Promise.all(sources.map(({ candidates }) => candidates.return?.()));
  }
}
