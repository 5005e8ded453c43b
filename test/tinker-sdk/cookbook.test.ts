import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { baseWeightsFile, type EngineServer, serveEngine } from '@tadpole/embedded-policy';
import { afterAll, beforeAll, expect, it } from 'vitest';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tadpole-cookbook-'));
const python = process.env.TADPOLE_COOKBOOK_PYTHON ?? '';
const script = async (name: string, words: readonly string[]) => {
  const { stdout } = await promisify(execFile)(python, [path(name), ...words], { timeout: 280_000, maxBuffer: 2 ** 26 });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as unknown;
};
let server: EngineServer;

beforeAll(async () => {
  if (!existsSync(python))
    throw new Error(
      `Expected TADPOLE_COOKBOOK_PYTHON to name a Python with tinker-cookbook, got ${python || 'nothing'}; run test/tinker-sdk/install-cookbook.sh FOLDER.`,
    );
  server = await serveEngine({ weights: baseWeightsFile(), checkpoints: join(folder, 'checkpoints'), mostModels: 8 });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

it("tinker-cookbook's math_rl recipe trains on the embedded engine, unchanged, with the base's own tokenizer and format", async () => {
  const tokenizer = join(dirname(baseWeightsFile()), 'tokenizer.json');
  const steps = (await script('arithmetic_recipe.py', [server.url, tokenizer, join(folder, 'log')])) as Readonly<Record<string, number>>[];
  const updates = steps.filter((metrics) => metrics['env/all/total_episodes'] === 32);
  expect(updates.map(({ step }) => step)).toEqual([0, 1]);
  // Rewards differ within a group by whether an answer ends in time.
  for (const metrics of updates) expect(metrics['grad_norm:mean']).toBeGreaterThan(1e-3);
}, 300_000);

it("the SDK's loss of the caller's own has the value and the gradient of its formula", async () => {
  const seen = await script('losses_and_errors.py', [server.url, server.url, '--custom']);
  const { custom } = seen as { custom: { value_gap: number; gradient_gap: number } };
  expect(custom.value_gap).toBeLessThan(1e-3);
  expect(custom.gradient_gap).toBeLessThan(1e-4);
}, 300_000);
