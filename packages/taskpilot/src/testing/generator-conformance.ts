import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Candidate, type Generator, generatedLineageSchema, isTadpoleError, type Snapshot } from '@tadpole/contracts';
import { applyEdits } from '../edit/apply-edits.js';
import { seededRandom } from '../seeded-random.js';

/** One check that any test framework can run: it throws when the generator breaks the contract. */
export interface ConformanceCase {
  readonly name: string;
  /** Throws an assertion error when the implementation does not hold to it. */
  run(): Promise<void>;
}

/**
 * Checks of the `Generator` contract for any implementation, free of any test framework. The snapshot must be
 * one for which the generator proposes two candidates or more.
 */
export function generatorConformance(options: {
  generator: Generator;
  snapshot: Snapshot;
  /** Candidates read in each case at most. @default 40 */
  limit?: number;
}): readonly ConformanceCase[] {
  const { generator, snapshot, limit = 40 } = options;
  const propose = (seed: string, signal?: AbortSignal) =>
    generator.propose({ snapshot, random: seededRandom(seed), ...(signal === undefined ? {} : { signal }) });
  const take = async (seed: string, count = limit) => {
    const taken: Candidate[] = [];
    for await (const candidate of propose(seed)) {
      taken.push(candidate);
      if (taken.length >= count) break;
    }
    return taken;
  };
  const textOf = (file: string) => readFile(join(snapshot.directory, file), 'utf8');

  return [
    {
      name: 'proposes candidates whose edits apply to source files or make new ones, and whose two trees differ',
      async run() {
        const candidates = await take('conformance');
        assert.ok(candidates.length >= 2, `expected two candidates or more, got ${candidates.length}`);
        for (const { edits, solution = [], lineage } of candidates) {
          const files = [...new Set([...edits, ...solution].map((edit) => edit.file))];
          assert.ok(files.includes(lineage.file), `expected the edits to touch ${lineage.file}, got ${files.join(', ')}`);
          for (const file of files) {
            const isSource = snapshot.sourceFiles.includes(file);
            assert.ok(isSource || !existsSync(join(snapshot.directory, file)), `expected a source file or a new one, got ${file}`);
            const text = isSource ? await textOf(file) : null;
            const trees = [edits, solution].map((tree) =>
              applyEdits(
                text,
                tree.filter((edit) => edit.file === file),
              ),
            );
            assert.notEqual(trees[0], trees[1], `expected ${file} to differ`);
          }
        }
      },
    },
    {
      name: 'keeps tests of its own apart from the sources',
      async run() {
        for (const { edits, solution = [], hiddenTests = [] } of await take('conformance')) {
          const edited = new Set([...edits, ...solution, ...snapshot.sourceFiles.map((file) => ({ file }))].map(({ file }) => file));
          assert.deepEqual(
            hiddenTests.filter(({ file }) => edited.has(file)),
            [],
          );
        }
      },
    },
    {
      name: 'names itself, an operator and an existing line in the lineage',
      async run() {
        for (const { lineage } of await take('conformance')) {
          const {
            generator: name,
            line,
            file,
          } = generatedLineageSchema
            .pick({ generator: true, operator: true, file: true, line: true, taskType: true, parts: true })
            .strict()
            .parse(lineage);
          assert.equal(name, generator.name);
          const text = existsSync(join(snapshot.directory, file)) ? await textOf(file) : '';
          assert.ok(line <= text.split('\n').length, `expected a line of ${file}, got ${line}`);
        }
      },
    },
    {
      name: 'proposes the same candidates for the same randomness, and no candidate twice',
      async run() {
        const first = await take('same');
        assert.deepEqual(await take('same'), first);
        assert.equal(new Set(first.map(({ lineage: _, ...proposed }) => JSON.stringify(proposed))).size, first.length);
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
        const controller = new AbortController();
        const drain = async () => {
          for await (const _ of propose('abort', controller.signal)) controller.abort();
        };
        await assert.rejects(drain, (error) => isTadpoleError(error) && error.code === 'aborted');
      },
    },
    {
      name: 'leaves the snapshot as it was',
      async run() {
        const read = () => Promise.all(snapshot.sourceFiles.map(textOf));
        const before = await read();
        await take('untouched');
        assert.deepEqual(await read(), before);
      },
    },
  ];
}
