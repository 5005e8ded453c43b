import type { Candidate, Generator, Snapshot } from '@tadpole/contracts';
import { expect, it } from 'vitest';
import { generatorsInTurn } from '../src/climb/generators-in-turn.js';

const snapshot = {} as Snapshot;
const random = () => 0.5;

function counting(name: string, most: number, ended: string[] = []): Generator {
  return {
    name,
    async *propose() {
      try {
        for (let line = 1; line <= most; line += 1) {
          yield { edits: [], lineage: { generator: name, operator: name, file: 'a.js', line } } satisfies Candidate;
        }
      } finally {
        ended.push(name);
      }
    },
  };
}

it('takes one candidate of each generator in turn, and goes on with those that have more', async () => {
  const proposed: string[] = [];
  for await (const { lineage } of generatorsInTurn([counting('a', 1), counting('b', 3), counting('c', 2)]).propose({ snapshot, random })) {
    proposed.push(`${lineage.generator}${lineage.line}`);
  }
  expect(proposed).toEqual(['a1', 'b1', 'c1', 'b2', 'c2', 'b3']);
});

it('ends every generator when nobody wants more', async () => {
  const ended: string[] = [];
  const generator = generatorsInTurn([counting('a', 9, ended), counting('b', 9, ended)]);
  let taken = 0;
  for await (const _ of generator.propose({ snapshot, random })) {
    taken += 1;
    if (taken === 3) break;
  }
  expect(ended.sort()).toEqual(['a', 'b']);
});
