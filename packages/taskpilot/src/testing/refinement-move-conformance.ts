import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generatedLineageSchema, isTadpoleError, taskDataSchema } from '@tadpole/contracts';
import type { MeasuredTask, Refinement, RefinementMove } from '../refine/refinement-move.js';
import { seededRandom } from '../seeded-random.js';
import { candidateIdOf, readTrees } from '../validate/candidate-trees.js';
import type { ConformanceCase } from './generator-conformance.js';

/**
 * Checks of the `RefinementMove` contract for any implementation, free of any test framework. The move must apply to `task`.
 * That a child is a valid task, and that its solve rate moves as expected, is for execution and calibration to show.
 */
export function refinementMoveConformance(options: {
  move: RefinementMove;
  task: MeasuredTask;
  /** Of the same snapshot. @default none */
  others?: readonly MeasuredTask[];
  /** Refinements read in each case at most. @default 20 */
  limit?: number;
}): readonly ConformanceCase[] {
  const { move, task, others = [], limit = 20 } = options;
  const { snapshot } = task;
  const take = async (seed: string, count = limit) => {
    const taken: Refinement[] = [];
    for await (const refinement of move.propose({ task, others, random: seededRandom(seed) })) {
      taken.push(refinement);
      if (taken.length >= count) break;
    }
    return taken;
  };
  const candidateOf = ({ proposal }: Refinement) => (proposal.kind === 'candidate' ? proposal.candidate : null);

  return [
    {
      name: 'has a name in kebab-case, and an expected effect that is not against what it is for',
      async run() {
        assert.match(move.name, /^[a-z]+(-[a-z0-9]+)*$/);
        const { mean, spread } = move.expectedEffect;
        assert.ok(move.makes === 'harder' ? mean <= 0 : mean >= 0, `expected an effect that makes tasks ${move.makes}, got ${mean}`);
        assert.ok(spread > 0 && Number.isFinite(spread), `expected a spread above 0, got ${spread}`);
      },
    },
    {
      name: 'proposes children that are none of the given tasks, and no child twice',
      async run() {
        const children = await take('conformance');
        assert.ok(children.length > 0, `expected a move that applies to ${task.draft.data.id}, got no child`);
        const ids = children.map(({ proposal }) =>
          proposal.kind === 'draft' ? proposal.draft.data.id : candidateIdOf({ snapshot, candidate: proposal.candidate }),
        );
        assert.equal(new Set(ids).size, ids.length, 'expected different children');
        for (const { draft } of [task, ...others]) {
          assert.ok(!ids.includes(draft.data.id) && !ids.includes(draft.candidateId), `expected new tasks, got ${draft.data.id} again`);
        }
      },
    },
    {
      name: 'names the task among the parents, and no parent that was not given',
      async run() {
        for (const { parents } of await take('parents')) {
          assert.ok(parents.includes(task), 'expected the task among the parents');
          assert.equal(new Set(parents).size, parents.length, 'expected each parent once');
          assert.ok(
            parents.every((parent) => parent === task || others.includes(parent)),
            'expected parents among the given tasks',
          );
        }
      },
    },
    {
      name: 'keeps the bug, its tests and its evidence under another statement, which names its parent',
      async run() {
        for (const { proposal } of await take('drafts')) {
          if (proposal.kind !== 'draft') continue;
          const [child, parent] = [proposal.draft, task.draft];
          taskDataSchema.parse(child.data);
          assert.equal(child.data.lineage.parent, parent.data.id);
          assert.notEqual(child.data.instruction, parent.data.instruction);
          const { data: _, gates: __, ...kept } = child;
          const { data: ___, gates: ____, ...given } = parent;
          assert.deepEqual(kept, given);
          assert.deepEqual(child.data.verifier, parent.data.verifier);
        }
      },
    },
    {
      name: 'changes source files of the snapshot in its candidates, so that the trees differ',
      async run() {
        for (const candidate of (await take('candidates')).flatMap((child) => candidateOf(child) ?? [])) {
          const { file } = generatedLineageSchema
            .pick({ generator: true, operator: true, file: true, line: true, taskType: true, parts: true })
            .strict()
            .parse(candidate.lineage);
          const trees = await readTrees({ snapshot, candidate });
          assert.ok(
            trees.some(({ path }) => path === file),
            `expected the edits to touch ${file}`,
          );
          for (const { path, agent, solved } of trees) {
            assert.ok(snapshot.sourceFiles.includes(path), `expected a source file, got ${path}`);
            assert.notEqual(agent, solved, `expected ${path} to differ`);
          }
        }
      },
    },
    {
      name: 'proposes the same children for the same randomness',
      async run() {
        assert.deepEqual(await take('same'), await take('same'));
      },
    },
    {
      name: 'can be stopped early and started again',
      async run() {
        const [whole, part] = [await take('stop'), await take('stop', 1)];
        assert.deepEqual(part, whole.slice(0, 1));
      },
    },
    {
      name: 'ends with code aborted when its signal fires',
      async run() {
        const drain = async () => {
          for await (const _ of move.propose({ task, others, random: seededRandom('abort'), signal: AbortSignal.abort() }));
        };
        await assert.rejects(drain, (error) => isTadpoleError(error) && error.code === 'aborted');
      },
    },
    {
      name: 'leaves the tasks and the snapshot as they were',
      async run() {
        const read = async () => ({
          tasks: structuredClone([task, ...others]),
          files: await Promise.all(snapshot.sourceFiles.map((file) => readFile(join(snapshot.directory, file), 'utf8'))),
        });
        const before = await read();
        await take('untouched');
        assert.deepEqual(await read(), before);
      },
    },
  ];
}
