import { join } from 'node:path';
import { baseWeightsFile, type EngineServer, serveEngine } from '@tadpole/embedded-policy';
import { readJournal } from 'tadpole';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { configurationFile, tadpole, temporaryFolder, tinyOverrides } from './tiny-recipe.js';

const folder = temporaryFolder();
let server: EngineServer;

beforeAll(async () => {
  server = await serveEngine({ weights: baseWeightsFile(), checkpoints: join(folder, 'checkpoints') });
});
afterAll(() => server.close());

it('the recipe runs unchanged on a server of the Tinker protocol, by its configuration alone', async () => {
  const engine = { kind: 'tinker', baseUrl: server.url, server: 'tadpole', renderer: 'embedded' };
  const config = configurationFile({
    ...tinyOverrides,
    engine,
    heldOut: { tasks: 2 },
    synthesis: { candidates: 4, tasks: 4 },
    training: { ...tinyOverrides.training, updatesPerIteration: 1, groupsPerUpdate: 4 },
    iterations: 1,
  });
  const run = join(folder, 'run');
  const { code, stderr } = await tadpole(['run', '--budget', 'small', '--config', config, '--out', run, '--json']);
  expect([code, stderr.includes('Error')]).toEqual([0, false]);
  const events = readJournal(run);
  const [update] = events.filter(({ type }) => type === 'update-end');
  expect(update).toMatchObject({ weightsVersion: expect.stringMatching(/^tinker:\/\/session_\w+:train:\d\/sampler_weights\//) });
  expect(events.at(-1)).toMatchObject({ type: 'run-end', reason: 'done' });
}, 600_000);
