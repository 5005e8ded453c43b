import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Candidate, Generator, Snapshot } from '@tadpole/contracts';
import { seededRandom } from '@tadpole/taskpilot';
import { expect, test } from 'vitest';
import { configuredGenerators, configuredHeldOutGenerator } from '../src/climb/configured-generators.js';
import { recipeRepositories } from '../src/recipe/recipe-repositories.js';

const nodeModules = join(dirname(fileURLToPath(import.meta.url)), '../../../node_modules');

const repositoryOf = (name: string) => {
  const repository = recipeRepositories.find((entry) => entry.package === name);
  return { directory: join(nodeModules, name), sourceFiles: repository?.sourceFiles ?? [] } as unknown as Snapshot;
};

async function candidatesOf(options: { generator: Generator; snapshot: Snapshot; most?: number }): Promise<readonly Candidate[]> {
  const { generator, snapshot, most = Number.POSITIVE_INFINITY } = options;
  const candidates: Candidate[] = [];
  for await (const candidate of generator.propose({ snapshot, random: seededRandom('recipe candidates') })) {
    candidates.push(candidate);
    if (candidates.length === most) break;
  }
  return candidates;
}

// Written down before the generator knew other languages and edits of several lines: number and sha256 of the
// first 300 candidates for held-out tasks, so that what the recipe is measured by stays the same.
test.each([
  ['fraction.js', 300, '958927544a0027de845cae5988b63f31ca762afe17c155a108f40d3dcfb10006'],
  ['complex.js', 300, '880af20206da511b8e91491ea51a2bb2719a60323acfb5abd25f77482dd2da87'],
  ['fast-uri', 300, '0b6ce1ff927e5ccf3b7f19fbb58996b30088bdb86874d7a79cd48f9ae760aa6b'],
  ['hash.js', 300, 'cddc07f4af4b37676d91f372b2575a9a4e2a4333515f70220b25e319c3ed494c'],
  ['bit-twiddle', 300, '355b74e1764bc46c1306b0bb84166e8e20093812c0df8a6ac9c6cacac0d482ce'],
  ['sorted-array-functions', 95, '94010585a511c6239f5c445e03f69a5ac1a6d4acf2bcbc670226235d0ac7da4b'],
  ['quaternion', 300, 'c09ae80f796416534e51e486061647f0ff572f446bf8a81cc04d60c6741e8ccb'],
  ['functional-red-black-tree', 264, '53c1ed46be2148ce5ff4b77c49f822090763b363b4641e468e8ad0900d6d582e'],
  ['sat', 300, '3c51c5d7e423119114ad1986006ce757c23c10d12087e956fbbac14ccfedda7f'],
])('the recipe proposes the same candidates of %s for held-out tasks, in the same order as ever', async (name, count, hash) => {
  const candidates = await candidatesOf({
    generator: configuredHeldOutGenerator({ synthesis: {} }),
    snapshot: repositoryOf(name),
    most: 300,
  });
  expect([candidates.length, createHash('sha256').update(JSON.stringify(candidates)).digest('hex')]).toEqual([count, hash]);
});

test('the families propose for training what the one generator proposes, each its own part of it', async () => {
  const snapshot = repositoryOf('sorted-array-functions');
  const whole = await candidatesOf({ generator: configuredHeldOutGenerator({ synthesis: {} }), snapshot });
  const families = configuredGenerators({ synthesis: {} });
  const parts = await Promise.all(families.map((generator) => candidatesOf({ generator, snapshot })));
  const texts = (candidates: readonly Candidate[]) => candidates.map((candidate) => JSON.stringify(candidate)).sort();
  expect(families.map(({ name }) => name)).toEqual(
    ['operators', 'conditions', 'constants', 'calls', 'control-flow'].map((family) => expect.stringContaining(family)),
  );
  expect(texts(parts.flat())).toEqual(texts(whole));
});

test('a run with configured operators has the families of those alone', () => {
  const names = configuredGenerators({ synthesis: { operators: ['swap-branches', 'flip-boolean'] } }).map(({ name }) => name);
  expect(names.sort()).toEqual(['mutation-constants', 'mutation-control-flow']);
});
