import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { samplerConformance, trainingClientConformance } from '@tadpole/dppo-trainer/testing';
import { createEngine, createTrainingClient, loadBasePolicy } from '@tadpole/embedded-policy';
import { createTokenPolicy, leafTools, toolDefinition } from '@tadpole/leaf-harness';
import { policyConformance, rendererConformance, toolConformance } from '@tadpole/leaf-harness/testing';
import { createNamespaceProvider } from '@tadpole/task-runtime';
import { seededRandom } from '@tadpole/taskpilot';
import { recipeConfiguration } from 'tadpole';
import { afterAll, describe, it } from 'vitest';

// Siblings may not import each other, so that each implementation meets the other packages' suites here.

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  await Promise.all(closing.map((close) => close()));
});

async function smallClient() {
  const config = { vocabularySize: 48, width: 32, layers: 2, heads: 2, feedForward: 64, contextTokens: 64 };
  const engine = await createEngine({ config, seed: 3, threads: 1 });
  closing.push(engine.close);
  return createTrainingClient({ engine });
}

describe('the embedded engine as a training client', () => {
  const sequences = [
    [1, 5, 9, 5, 9, 7, 2],
    [3, 4, 4, 40, 8],
  ];
  const createDirectory = () => mkdtemp(join(tmpdir(), 'tadpole-state-'));
  for (const { name, run } of trainingClientConformance({ createClient: smallClient, sequences, createDirectory })) it(name, run);
});

describe('the embedded engine as a sampler', () => {
  const createSampler = async () => (await smallClient()).createSampler();
  for (const { name, run } of samplerConformance({ createSampler, prompt: [1, 2, 3, 4] })) it(name, run);
});

const base = await loadBasePolicy({ threads: 1 });
closing.push(base.close);

describe('the embedded renderer', () => {
  const { renderer, tokenizer } = base;
  const ended = (text: string) => [...tokenizer.encode(text), renderer.stopIds[0] as number];
  const sampledTurns = [ended('I look at it.'), ended(''), ended('Done.')];
  const random = seededRandom(7);
  const cases = rendererConformance({
    renderer,
    vocabularySize: tokenizer.vocabularySize,
    sampledTurns,
    random,
    tools: leafTools().map(toolDefinition),
  });
  for (const { name, run } of cases) it(name, run);
});

describe('the token policy of the base', () => {
  const createPolicy = async () => createTokenPolicy({ name: 'base', renderer: base.renderer, sampler: await base.client.createSampler() });
  const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 24, seed: 1 };
  for (const { name, run } of policyConformance({ createPolicy, sampling, isDeterministic: true })) it(name, run);
});

describe.each(leafTools().map((tool) => [tool.name, tool] as const))('the tool %s in a namespace sandbox', (name, tool) => {
  const inputs: Record<string, { valid: Record<string, unknown>; invalid: Record<string, unknown> }> = {
    Read: { valid: { file_path: 'a.txt' }, invalid: { file_path: 7 } },
    Write: { valid: { file_path: 'b.txt', content: 'b' }, invalid: { file_path: 'b.txt' } },
    Edit: { valid: { file_path: 'a.txt', old_string: 'frog', new_string: 'toad' }, invalid: { file_path: 'a.txt' } },
    Glob: { valid: { pattern: '**/*.txt' }, invalid: {} },
    Bash: { valid: { command: 'echo hi' }, invalid: { command: [] } },
  };
  const { valid, invalid } = inputs[name] as (typeof inputs)[string];
  const openSandbox = async () => {
    const scratchDirectory = await mkdtemp(join(tmpdir(), 'tadpole-tools-'));
    const provider = createNamespaceProvider({ scratchDirectory });
    const workspace = new URL('./fixtures/pond', import.meta.url).pathname;
    return provider.open({ environment: { workspace }, limits: recipeConfiguration('small').agent.limits });
  };
  for (const { name: title, run } of toolConformance({ tool, openSandbox, validInput: valid, invalidInput: invalid })) it(title, run);
});
