import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TadpoleError } from '@tadpole/contracts';
import { loadBasePolicy } from '@tadpole/embedded-policy';
import { createChatPolicy } from '@tadpole/leaf-harness';
import { createRepairPolicy } from '@tadpole/taskpilot';
import { recipeConfiguration } from '../recipe/recipe-configuration.js';
import type { RolloutSettings, SynthesisActor } from '../synth/create-synthesis-policy.js';
import type { SynthFlags } from './synth-flags.js';

/** A policy to measure, ready to be rolled out. */
export interface OpenActor {
  readonly actor: SynthesisActor;
  readonly rollouts: RolloutSettings;
  close(): Promise<void>;
}

/** Wall time of one rollout at an endpoint. */
const wallTimeMs = 1_800_000;

/** How rollouts are made, from the flags alone. */
export function rolloutSettings(flags: SynthFlags): RolloutSettings {
  const { agent, sampling } = recipeConfiguration('small');
  if (flags.repairer === true) {
    return {
      limits: { maxTurns: flags.maxTurns ?? agent.maxTurns, wallTimeMs: agent.wallTimeMs },
      sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 8192 },
      concurrency: { agents: flags.samplesConcurrency ?? 8, grading: 2 },
    };
  }
  if (flags.embedded !== true) {
    return {
      limits: { maxTurns: flags.maxTurns ?? 75, wallTimeMs },
      sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 8192 },
      concurrency: { agents: flags.samplesConcurrency ?? 8, grading: 2 },
    };
  }
  const maxTurns = flags.maxTurns ?? agent.maxTurns;
  return {
    limits: { maxTurns, wallTimeMs: agent.wallTimeMs, maxGeneratedTokens: maxTurns * sampling.maxTokensPerTurn },
    sampling: { temperature: sampling.temperature, topP: sampling.topP, topK: 0, maxTokens: sampling.maxTokensPerTurn },
    concurrency: { agents: flags.samplesConcurrency ?? 32, grading: 2 },
  };
}

/**
 * Opens the policy that the flags name.
 * @throws TadpoleError `invalid-config`, `invalid-input`, `storage`, `missing-dependency` as the policies do.
 */
export async function openActor(options: {
  flags: SynthFlags;
  environment: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
}): Promise<OpenActor> {
  const { flags, environment, signal } = options;
  const rollouts = rolloutSettings(flags);
  if (flags.embedded === true) return { ...(await openEmbedded({ weights: flags.weights, signal })), rollouts };
  if (flags.repairer === true)
    return { actor: { policy: createRepairPolicy(), weightsVersion: 'repair' }, rollouts, close: async () => {} };
  const { baseUrl = '', model = '', pricePrompt, priceCompletion, maxRetries } = flags;
  const policy = createChatPolicy({
    ...{ baseUrl, model, apiKey: apiKeyOf({ name: flags.apiKeyEnv, environment }) },
    ...(pricePrompt === undefined || priceCompletion === undefined
      ? {}
      : { price: { promptPerMillion: pricePrompt, completionPerMillion: priceCompletion } }),
    ...(maxRetries === undefined ? {} : { maxRetries }),
  });
  return { actor: { policy, weightsVersion: model }, rollouts, close: async () => {} };
}

/** The key of an endpoint; `none` where the variable is not set, since not every endpoint asks for one. */
export function apiKeyOf(options: { name: string; environment: Readonly<Record<string, string | undefined>> }): string {
  return options.environment[options.name] || 'none';
}

async function openEmbedded(options: { weights: string | undefined; signal: AbortSignal }): Promise<Omit<OpenActor, 'rollouts'>> {
  const { weights, signal } = options;
  const folder = weights === undefined ? undefined : resolve(weights);
  const isState = folder !== undefined && existsSync(join(folder, 'state.safetensors'));
  if (folder !== undefined && !isState && !existsSync(join(folder, 'weights.safetensors'))) {
    const message = `--weights: expected weights.safetensors and tokenizer.json, or a checkpoint of a run, in ${folder}, got neither.`;
    throw new TadpoleError({ code: 'invalid-config', message });
  }
  const { client, renderer, close } = await loadBasePolicy({ signal, ...(folder === undefined || isState ? {} : { directory: folder }) });
  try {
    if (isState) await client.loadState(folder, { optimizer: false });
    return { actor: { sampler: await client.createSampler(), renderer }, close };
  } catch (error) {
    await close();
    throw error;
  }
}
