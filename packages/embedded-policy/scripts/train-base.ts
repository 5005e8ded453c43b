import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createFilePicker } from '../src/base/corpus-file.js';
import { plainText } from '../src/base/plain-text.js';
import { dataMix, sampleSequence } from '../src/base/sample-sequence.js';
import { trainingBatch, type WeightedSequence } from '../src/base/weighted-sequence.js';
import { createEngine, type Engine } from '../src/engine/create-engine.js';
import { createRandom } from '../src/engine/random.js';
import { paddedLength } from '../src/engine/training/micro-batches.js';
import { createRenderer } from '../src/renderer/create-renderer.js';
import { createTokenizer } from '../src/tokenizer/create-tokenizer.js';
import { trainTokenizer } from '../src/tokenizer/train-tokenizer.js';
import { loadCorpus } from './load-corpus.js';
import { rateProbes, sampledRates } from './sampled-rates.js';
import { tokenizerTexts } from './tokenizer-texts.js';

// Trains the shipped base from scratch. Run from the package's folder:
// tsx --conditions=@tadpole/source scripts/train-base.ts --work FOLDER [--resume]
const { values: flags } = parseArgs({
  options: {
    /** Downloads, checkpoints. */
    work: { type: 'string' },
    /** Training tokens. */
    tokens: { type: 'string', default: '55000000' },
    'batch-tokens': { type: 'string', default: '4096' },
    'learning-rate': { type: 'string', default: '3e-3' },
    width: { type: 'string', default: '128' },
    layers: { type: 'string', default: '4' },
    threads: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    /** Seconds between evaluations. */
    every: { type: 'string', default: '150' },
    resume: { type: 'boolean', default: false },
  },
});
if (flags.work === undefined) throw new Error('expected --work FOLDER, where downloads and checkpoints go');
const budget = Number(flags.tokens);
const batchTokens = Number(flags['batch-tokens']);
const peak = Number(flags['learning-rate']);
const width = Number(flags.width);
const latest = join(flags.work, 'latest');
await mkdir(latest, { recursive: true });
const log = (line: string) => process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);

const { train, heldOut, contaminated } = await loadCorpus({ cache: join(flags.work, 'cache') });
const characters = train.reduce((sum, { text }) => sum + text.length, 0);
log(
  `corpus: ${train.length} files, ${(characters / 1e6).toFixed(1)} MB; held out: ${heldOut.length} files; left out for shared lines: ${contaminated.join(', ')}`,
);

const tokenizerPath = join(latest, 'tokenizer.json');
if (!flags.resume || !existsSync(tokenizerPath)) {
  const data = trainTokenizer({ texts: tokenizerTexts(train, createRandom(Number(flags.seed), 7)), vocabularySize: 2048 });
  await writeFile(tokenizerPath, JSON.stringify(data));
}
const tokenizer = createTokenizer(JSON.parse(await readFile(tokenizerPath, 'utf8')));
const renderer = createRenderer({ tokenizer });

const statePath = join(latest, 'state.safetensors');
const progressPath = join(latest, 'progress.json');
const config = {
  vocabularySize: tokenizer.vocabularySize,
  width,
  layers: Number(flags.layers),
  // Wide heads tell more tokens apart, which exact copying needs (README, "The base").
  heads: width / 64,
  feedForward: Math.round((width * 2.75) / 16) * 16,
  contextTokens: 512,
};
const engine = await createEngine({ config, seed: Number(flags.seed), threads: Number(flags.threads), tokenBudget: 4096 });
let { tokens, step } = flags.resume ? JSON.parse(await readFile(progressPath, 'utf8')) : { tokens: 0, step: 0 };
if (flags.resume) await engine.loadState(statePath);

const random = createRandom(Number(flags.seed), step);
const source = { pickFile: createFilePicker(train, random), files: train };
const fixed = createRandom(99);
const heldOutSource = { pickFile: createFilePicker(heldOut, fixed), files: heldOut };
const probes = rateProbes({ source: heldOutSource, tasks: 128, random: fixed });
const plain = Array.from({ length: 48 }, () => plainText({ tokenizer, pickFile: heldOutSource.pickFile, length: 256, random: fixed }));

let groups: WeightedSequence[][] = [];
let next = drawBatch();
let evaluated = Date.now();
let sinceTokens = 0;
let loss = 0;
let lossSteps = 0;
while (tokens < budget) {
  const batch = trainingBatch({ sequences: next, contextTokens: config.contextTokens, random });
  const work = engine.forwardBackward(batch);
  const size = tokensOf(next);
  tokens += size;
  sinceTokens += size;
  step += 1;
  next = drawBatch();
  const logprobs = await work;
  loss += weightedLoss(logprobs, batch.logprobGradients);
  lossSteps += 1;
  await engine.optimStep({ learningRate: learningRate(), beta1: 0.9, beta2: 0.98, weightDecay: 0.05, gradientClip: 1 });
  if (Date.now() - evaluated > Number(flags.every) * 1000 || tokens >= budget) {
    const rate = sinceTokens / ((Date.now() - evaluated) / 1000);
    const rates = await sampledRates({ engine, renderer, probes });
    log(
      `step ${step} tokens ${(tokens / 1e6).toFixed(2)}M tokens/s ${rate.toFixed(0)} loss ${(loss / lossSteps).toFixed(3)} held-out ${(await heldOutLoss(engine)).toFixed(3)} ` +
        `read ${rates.read.toFixed(3)} format ${rates.format.toFixed(3)} copy ${rates.copy.toFixed(3)} right-line ${rates.rightLine.toFixed(3)} solved ${rates.solved.toFixed(3)} lr ${learningRate().toExponential(2)}`,
    );
    await engine.saveState(statePath);
    await engine.saveWeights(join(latest, 'weights.safetensors'));
    await writeFile(progressPath, JSON.stringify({ tokens, step }));
    evaluated = Date.now();
    sinceTokens = loss = lossSteps = 0;
  }
}
await engine.close();

/** Sequences of one batch: a few groups of equal padded length, so that little is padded. */
function drawBatch(): WeightedSequence[] {
  const sequences: WeightedSequence[] = [];
  while (tokensOf(sequences) < batchTokens) {
    if (groups.length === 0) groups = drawGroups();
    sequences.push(...groups.pop()!);
  }
  return sequences;
}

function drawGroups(): WeightedSequence[][] {
  const mix = dataMix(tokens / budget);
  const pool: WeightedSequence[] = [];
  for (let size = 0; size < 8 * batchTokens; size += pool.at(-1)!.ids.length)
    pool.push(sampleSequence({ tokenizer, renderer, source, mix, random }));
  const buckets = new Map<number, WeightedSequence[]>();
  for (const sequence of pool) {
    const length = paddedLength(sequence.ids.length - 1);
    buckets.set(length, [...(buckets.get(length) ?? []), sequence]);
  }
  const drawn = [...buckets].flatMap(([length, sequences]) => {
    const size = Math.max(1, Math.floor(2048 / length));
    return Array.from({ length: Math.ceil(sequences.length / size) }, (_, index) => sequences.slice(index * size, (index + 1) * size));
  });
  return drawn
    .map((group) => ({ group, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ group }) => group);
}

function tokensOf(sequences: readonly WeightedSequence[]): number {
  return sequences.reduce((sum, { ids }) => sum + ids.length, 0);
}

/** Linear over the first 100 steps, then a cosine to a twentieth. */
function learningRate(): number {
  const warmed = Math.min(1, step / 100);
  return peak * warmed * (0.05 + 0.95 * 0.5 * (1 + Math.cos(Math.PI * Math.min(1, tokens / budget))));
}

/** Weighted mean of −log p, in nats. */
function weightedLoss(logprobs: readonly Float32Array[], gradients: readonly Float32Array[]): number {
  let sum = 0;
  for (const [index, row] of logprobs.entries()) {
    for (const [position, logprob] of row.entries()) sum += Number.isNaN(logprob) ? 0 : gradients[index]![position]! * logprob;
  }
  return sum;
}

/** Mean −log p a token of plain held-out code, in nats. */
async function heldOutLoss(model: Engine): Promise<number> {
  const { sequences } = trainingBatch({ sequences: plain, contextTokens: config.contextTokens, random });
  const results = await model.forward({ sequences });
  const logprobs = results.flatMap((result) => [...result.logprobs]);
  return -logprobs.reduce((sum, logprob) => sum + logprob, 0) / logprobs.length;
}
