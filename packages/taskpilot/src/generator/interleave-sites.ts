import type { MutationSite } from './mutation-site.js';
import { shuffle } from './shuffle.js';

/**
 * Orders sites so that any prefix is mixed: operators take turns, and within an operator its files take
 * turns. The order depends on `random` and on the order of `sites` alone.
 */
export function* interleaveSites(options: { sites: readonly MutationSite[]; random: () => number }): Generator<MutationSite> {
  const { random } = options;
  const byOperator = new Map<string, Map<string, MutationSite[]>>();
  for (const site of options.sites) {
    const byFile = byOperator.get(site.operator) ?? new Map<string, MutationSite[]>();
    byOperator.set(site.operator, byFile);
    const inFile = byFile.get(site.source.file);
    if (inFile === undefined) byFile.set(site.source.file, [site]);
    else inFile.push(site);
  }
  const turns = shuffle([...byOperator.values()], { random }).map((byFile) =>
    takeTurns(shuffle([...byFile.values()], { random }).map((sites) => shuffle(sites, { random }).values())),
  );
  yield* takeTurns(turns);
}

function* takeTurns<Item>(sources: Iterable<Iterator<Item>>): Generator<Item> {
  let waiting = [...sources];
  while (waiting.length > 0) {
    const next: Iterator<Item>[] = [];
    for (const source of waiting) {
      const step = source.next();
      if (step.done === true) continue;
      next.push(source);
      yield step.value;
    }
    waiting = next;
  }
}
