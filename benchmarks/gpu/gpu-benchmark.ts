import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTinkerClient } from '@tadpole/dppo-trainer';
import { type SkyRl, type SkyRlOptions, startSkyRl } from '../../test/skyrl/start-skyrl.js';
import { type Load, measureUpdates, type UpdateFigures } from './measure-updates.js';
import { type ConformanceResult, runConformance } from './run-conformance.js';

/** One way to run: what is trained, how much, and how many cases of each suite. */
interface Plan {
  readonly platform: 'cpu' | 'cuda';
  readonly shape: NonNullable<SkyRlOptions['shape']>;
  readonly backend: Readonly<Record<string, unknown>>;
  readonly load: Load;
  readonly most?: number;
  /** No case of the suites is begun later. @default there is no end */
  readonly lastCaseMs?: number;
}

/** The shape of Qwen3-0.6B with random weights; `run.sh` ends it after 470 s. */
const gpu: Plan = {
  platform: 'cuda',
  shape: {
    config: {
      ...{ hidden_size: 1024, intermediate_size: 3072, num_hidden_layers: 28, num_attention_heads: 16, num_key_value_heads: 8 },
      ...{ head_dim: 128, vocab_size: 151_936, max_position_embeddings: 4096, tie_word_embeddings: true, dtype: 'bfloat16' },
    },
  },
  backend: { train_micro_batch_size: 16, sample_max_num_sequences: 64 },
  load: { prompts: 8, samplesPerPrompt: 8, promptTokens: 256, sampledTokens: 256, vocabulary: 151_936, warmUps: 1, updates: 4 },
  lastCaseMs: 400_000,
};

/** The same with 0.1 M parameters, and two cases of each suite: `npm run test:skyrl` runs all of them on the CPU. */
const dry: Plan = {
  platform: 'cpu',
  shape: {},
  backend: {},
  load: { prompts: 2, samplesPerPrompt: 2, promptTokens: 24, sampledTokens: 8, vocabulary: 512, warmUps: 1, updates: 1 },
  most: 2,
};

/**
 * Trains a Qwen3 of random weights through the Tinker client on SkyRL's JAX backend, in the interpreter `TADPOLE_SKYRL_PYTHON`, and
 * prints tokens a second, the client's overhead and how the server holds to the conformance suites. Needs no network and no
 * model. `--dry-run` does the same on the CPU with a tiny model, whose figures say nothing. Its exit code is 1 where a case failed.
 */
export async function gpuBenchmark(flags: readonly string[]): Promise<void> {
  const plan = flags.includes('--dry-run') ? dry : gpu;
  const startedMs = Date.now();
  // The script's time is over; what runs behind this process ends with it.
  process.once('SIGTERM', () => process.exit(124));
  const folder = mkdtempSync(join(tmpdir(), 'tadpole-gpu-'));
  try {
    const { figures, parameters } = await throughput({ plan, folder: join(folder, 'throughput') });
    print({ figures, parameters, plan });
    const isOver = () => Date.now() - startedMs > (plan.lastCaseMs ?? Number.POSITIVE_INFINITY);
    const { passed, failed, left } = await conform({ plan, folder: join(folder, 'conformance'), isOver });
    console.log(`conformance: ${passed.length} passed, ${failed.length} failed, ${left} not run`);
    if (failed.length > 0) process.exitCode = 1;
    const cases = { passed: passed.length, failed: failed.length, left };
    console.log(JSON.stringify({ dryRun: plan === dry, platform: plan.platform, parameters, ...rounded(figures), ...cases }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function throughput({ plan, folder }: { plan: Plan; folder: string }): Promise<{ figures: UpdateFigures; parameters: number }> {
  const { platform, shape, backend, load } = plan;
  return withServer({ folder, platform, shape, backend }, async ({ url, log, parameters }) => {
    const contextTokens = load.promptTokens + load.sampledTokens;
    const { client, close } = await createTinkerClient({ baseUrl: url, server: 'skyrl-jax', rank: 8, seed: 1, contextTokens });
    try {
      return { figures: await measureUpdates({ client, load, log, now: () => performance.now() }), parameters };
    } finally {
      await close();
    }
  });
}

/** In single precision throughout, since the suites compare to 0.001. */
function conform(options: { plan: Plan; folder: string; isOver: () => boolean }): Promise<ConformanceResult> {
  const { folder, isOver } = options;
  const { platform, most } = options.plan;
  const environment = { JAX_DEFAULT_MATMUL_PRECISION: 'highest' };
  return withServer({ folder, platform, environment }, ({ url, model }) =>
    runConformance({ url, baseModel: model, folder, isOver, onCase: console.log, ...(most === undefined ? {} : { most }) }),
  );
}

async function withServer<Result>(options: SkyRlOptions, use: (server: SkyRl) => Promise<Result>): Promise<Result> {
  const server = await startSkyRl(options);
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}

function print({ figures, parameters, plan }: { figures: UpdateFigures; parameters: number; plan: Plan }): void {
  const { prompts, samplesPerPrompt, promptTokens, sampledTokens, updates } = plan.load;
  const seconds = (value: number) => `${value.toFixed(2)} s`;
  console.log(`SkyRL with JAX on ${plan.platform}, Qwen3 of ${(parameters / 1e6).toFixed(1)} M random parameters, LoRA of rank 8`);
  console.log(
    `${updates} updates of ${prompts} x ${samplesPerPrompt} sequences, ${promptTokens} tokens of prompt and ${sampledTokens} sampled`,
  );
  console.log(`sampling   ${figures.sampledTokensPerSecond.toFixed(0)} sampled tokens a second`);
  console.log(`training   ${figures.trainedTokensPerSecond.toFixed(0)} tokens a second`);
  console.log(
    `time       ${seconds(figures.wallSeconds)}: server ${seconds(figures.serverSeconds)}, client ${seconds(figures.clientSeconds)}, wire and queue ${seconds(figures.wireSeconds)}`,
  );
  console.log(`overhead   ${(100 * figures.overheadShare).toFixed(1)} % of the time is not the server's engine`);
}

function rounded(figures: UpdateFigures): Record<string, number> {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value.toPrecision(4))]));
}
