import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine } from '@tadpole/embedded-policy';
import { measureMatmul } from './measure-matmul.js';
import { measureSampling } from './measure-sampling.js';
import { measureTraining } from './measure-training.js';
import { measureWire } from './measure-wire.js';
import { modelSizes, trainingFlops } from './model-sizes.js';
import { startTorch, type TorchProcess } from './torch-process.js';

/** Shapes of the matrix products that the machine's rate is taken from. */
const products = [
  { rows: 512, inner: 512, columns: 512 },
  { rows: 2048, inner: 256, columns: 1024 },
  { rows: 2048, inner: 2048, columns: 2048 },
];

/**
 * The embedded engine against PyTorch on the CPU: the same weights, batch and threads, interleaved, medians of five rounds.
 * PyTorch runs in the fastest of the ways that `torch_policy.py` tries. `--short` takes three rounds and leaves
 * PyTorch's compiler out. The last line holds the worst ratios and the smallest share of the matrix rate over the sizes, and what
 * an update costs more over HTTP than in process.
 */
export async function engineBenchmark(flags: readonly string[]): Promise<void> {
  const isShort = flags.includes('--short');
  const torch = startTorch();
  if ('missing' in torch) {
    process.stderr.write(`bench engine: ${torch.missing}\n`);
    process.exitCode = 1;
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'tadpole-engine-bench-'));
  try {
    await compare({ torch, folder, rounds: isShort ? 3 : 5, tryCompiler: !isShort });
  } finally {
    torch.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compare(options: { torch: TorchProcess; folder: string; rounds: number; tryCompiler: boolean }): Promise<void> {
  const { torch, folder, rounds } = options;
  const threads = Math.min(2, availableParallelism());
  const { torch: version, compiler } = await torch.ask<{ torch: string; compiler: boolean }>('versions', { compiler: options.tryCompiler });
  console.log(
    `PyTorch ${version}, ${compiler ? 'eager and compiled' : 'eager'}; ${threads} threads in training, 1 in sampling; load ${load()}`,
  );
  const peak = await matmulRate(torch, threads);
  const training: Record<string, number> = {};
  const sampling: Record<string, number> = {};
  const shares: Record<string, number> = {};
  for (const [size, config] of Object.entries(modelSizes)) {
    const checkpoint = join(folder, `${size}.safetensors`);
    const engine = await createEngine({ config, seed: 1, threads });
    await engine.saveWeights(checkpoint);
    await engine.close();
    const rates = await measureTraining({ torch, config, checkpoint, threads, rounds });
    const gflops = (rates.ours * trainingFlops(config, 512)) / 1e9;
    training[size] = round(rates.ours / rates.torch);
    shares[size] = round(gflops / peak);
    console.log(line(`${size} training`, rates));
    console.log(`${''.padEnd(18)}${gflops.toFixed(0)} GFLOP/s, ${(100 * shares[size]).toFixed(0)} % of the matrix rate`);
    for await (const sampled of measureSampling({ torch, config, checkpoint, batches: [1, 32, 64], rounds })) {
      sampling[`${size}${sampled.batch}`] = round(sampled.ours / sampled.torch);
      console.log(line(`${size} sampling B=${sampled.batch}`, sampled));
    }
  }
  const clientOverhead = await compareWire({ folder, threads, rounds });
  console.log(`load ${load()}`);
  const worst = (ratios: Readonly<Record<string, number>>) => Math.min(...Object.values(ratios));
  const summary = { trainVsTorch: worst(training), sampleVsTorch: worst(sampling), mfu: worst(shares) };
  console.log(JSON.stringify({ ...summary, matmulGflops: Math.round(peak), training, sampling, shares, clientOverhead, compiler }));
}

/** What an update of S takes over HTTP, as a ratio to the one in process and in milliseconds more. */
async function compareWire({ folder, threads, rounds }: { folder: string; threads: number; rounds: number }) {
  const times = await measureWire({ config: modelSizes.S, checkpoint: join(folder, 'S.safetensors'), folder, threads, rounds });
  const { inProcess } = times;
  console.log(`S update in process  ${inProcess.toFixed(0)} ms, of which its forward pass ${times.forward.toFixed(0)}`);
  const over = (name: string, ms: number) => {
    const overhead = { ratio: round(ms / inProcess), ms: Math.round(ms - inProcess) };
    console.log(`${name.padEnd(32)}${ms.toFixed(0).padStart(7)} ms, ${overhead.ms} more   ratio ${overhead.ratio.toFixed(2)}`);
    return overhead;
  };
  return {
    inProcessMs: Math.round(inProcess),
    forwardMs: Math.round(times.forward),
    json: over('  over HTTP, JSON', times.json),
    protobuf: over('  over HTTP, protobuf', times.protobuf),
    jsonOwnLoss: over("  server's loss, JSON", times.jsonOwnLoss),
    protobufOwnLoss: over("  server's loss, protobuf", times.protobufOwnLoss),
  };
}

/** The best rate of either side's product, so that the share is not flattered by a slow one. */
async function matmulRate(torch: TorchProcess, threads: number): Promise<number> {
  const rates: number[] = [];
  for (const product of products) {
    const ours = await measureMatmul({ ...product, threads });
    const { gflops } = await torch.ask<{ gflops: number }>('matmul', { ...product, threads });
    const shape = `${product.rows} × ${product.inner} × ${product.columns}`;
    console.log(`product ${shape.padEnd(20)} ${ours.toFixed(0)} GFLOP/s in ONNX Runtime, ${gflops.toFixed(0)} in PyTorch`);
    rates.push(ours, gflops);
  }
  return Math.max(...rates);
}

function line(name: string, rates: { ours: number; torch: number; variant: string }): string {
  const [ours, theirs] = [rates.ours, rates.torch].map((rate) => rate.toFixed(0).padStart(7));
  return `${name.padEnd(18)}${ours} tokens/s, PyTorch ${theirs} (${rates.variant})   ratio ${(rates.ours / rates.torch).toFixed(2)}`;
}

function load(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
