import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TadpoleEvent } from '@tadpole/contracts';
import { readJournal } from 'tadpole';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configurationFile, tadpole, tinyOverrides } from '../tiny-recipe.js';
import { repairDemonstrations } from './repair-demonstrations.js';
import { type SkyRl, startSkyRl } from './start-skyrl.js';

type EventOf<Type extends TadpoleEvent['type']> = Extract<TadpoleEvent, { type: Type }>;

const folder = mkdtempSync(join(tmpdir(), 'tadpole-skyrl-recipe-'));
const run = join(folder, 'run');
const operators = ['reverse-comparison', 'shift-boundary', 'flip-equality'];
const updates = 3;
let server: SkyRl;
let events: readonly TadpoleEvent[] = [];

const eventsOf = <Type extends TadpoleEvent['type']>(type: Type) =>
  events.filter((event): event is EventOf<Type> => event.type === type);

/** The recipe of the first climb with another engine, and little enough of everything to be done in two minutes. */
const overrides = () => ({
  ...tinyOverrides,
  engine: {
    ...{ kind: 'tinker', baseUrl: server.url, server: 'skyrl-jax', rank: 8, contextTokens: 512 },
    ...{ renderer: 'qwen3', tokenizer: server.model },
  },
  heldOut: { tasks: 2 },
  iterations: 1,
  synthesis: { candidates: 6, tasks: 6, operators },
  // SkyRL's JAX backend does not clip gradients.
  training: { updatesPerIteration: updates, groupsPerUpdate: 4, groupSize: 4, learningRate: 2e-3, gradientClip: 0 },
  sampling: { maxTokensPerTurn: 96 },
});

beforeAll(async () => {
  const directory = fileURLToPath(new URL('../../node_modules/functional-red-black-tree', import.meta.url));
  const demonstrations = await repairDemonstrations({ directory, file: 'rbtree.js', operators, repeats: 6 });
  const shape = { tokens: 1024, config: { vocab_size: 1024, max_position_embeddings: 2048 } };
  const backend = { train_micro_batch_size: 8, sample_max_num_sequences: 16 };
  server = await startSkyRl({ folder, shape, backend, lessons: { demonstrations, steps: 200 } });
});
afterAll(async () => {
  await server?.stop();
  if (!process.env.KEEP) rmSync(folder, { recursive: true, force: true });
});

describe('the recipe on SkyRL with JAX', () => {
  it('runs by its configuration alone', async () => {
    const args = ['run', '--budget', 'small', '--config', configurationFile(overrides()), '--out', run, '--json'];
    const { code, stderr } = await tadpole(args);
    expect(code, stderr).toBe(0);
    events = readJournal(run);
    console.log(JSON.stringify(eventsOf('update-end').map(({ metrics }) => metrics), null, 1));
    expect(events.at(-1)).toMatchObject({ type: 'run-end', reason: 'done' });
  });
});
