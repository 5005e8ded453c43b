import type { Candidate, Generator } from '@tadpole/contracts';

/** Several generators as one: they take turns, and each goes on until it ends. */
export function generatorsInTurn(generators: readonly Generator[]): Generator {
  return {
    name: generators.map(({ name }) => name).join('+'),
    async *propose(options) {
      let open = generators.map((generator) => generator.propose(options)[Symbol.asyncIterator]());
      try {
        while (open.length > 0) {
          const next: AsyncIterator<Candidate>[] = [];
          for (const candidates of open) {
            const step = await candidates.next();
            if (step.done === true) continue;
            next.push(candidates);
            yield step.value;
          }
          open = next;
        }
      } finally {
        await Promise.all(open.map((candidates) => candidates.return?.()));
      }
    },
  };
}
