import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Renderer, TadpoleError, type TrainingClient } from '@tadpole/contracts';
import { createEngine } from './engine/create-engine.js';
import { createTrainingClient } from './engine/create-training-client.js';
import { createRenderer } from './renderer/create-renderer.js';
import { createTokenizer, type Tokenizer } from './tokenizer/create-tokenizer.js';
import type { TokenizerData } from './tokenizer/tokenizer-data.js';

/** The weights of the base that this package ships. */
export function baseWeightsFile(): string {
  return join(baseDirectory(), 'weights.safetensors');
}

/** A policy that trains and samples in this process, with what turns messages into its tokens. */
export interface EmbeddedPolicy {
  readonly client: TrainingClient;
  readonly renderer: Renderer;
  readonly tokenizer: Tokenizer;
  /** Ends the engine's process; idempotent. Samplers of the client end with it. */
  close(): Promise<void>;
}

/** Options of {@link loadBasePolicy}. */
export interface LoadBasePolicyOptions {
  /** Folder with `weights.safetensors` and `tokenizer.json`. @default the base that this package ships */
  readonly directory?: string;
  /** Threads of a training step; sampling uses one. @default 2, or 1 where there is one processor */
  readonly threads?: number;
  /** Closes the policy when aborted. */
  readonly signal?: AbortSignal;
}

/**
 * Starts the engine with the shipped base: a small transformer, trained from scratch on permissively licensed source,
 * that knows the form of an episode and little about repairs (README, "The base").
 *
 * @throws TadpoleError `storage` when a file is missing, `invalid-input` when one is malformed or the two do not belong together,
 * `missing-dependency` without ONNX Runtime.
 */
export async function loadBasePolicy(options: LoadBasePolicyOptions = {}): Promise<EmbeddedPolicy> {
  const { directory = baseDirectory(), threads, signal } = options;
  const tokenizer = createTokenizer(await readTokenizer(join(directory, 'tokenizer.json')));
  const engine = await createEngine({
    weights: join(directory, 'weights.safetensors'),
    ...(threads === undefined ? {} : { threads }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (engine.config.vocabularySize !== tokenizer.vocabularySize) {
    await engine.close();
    throw new TadpoleError({
      code: 'invalid-input',
      message: `${directory}: expected weights for the ${tokenizer.vocabularySize} tokens of its tokenizer, got weights for ${engine.config.vocabularySize}; take both from one training`,
    });
  }
  return { client: createTrainingClient({ engine }), renderer: createRenderer({ tokenizer }), tokenizer, close: engine.close };
}

/** The renderer of the shipped base alone, for an engine that holds the base elsewhere. @throws TadpoleError `storage`, `invalid-input` */
export async function loadBaseRenderer(options: { directory?: string } = {}): Promise<Renderer> {
  const { directory = baseDirectory() } = options;
  return createRenderer({ tokenizer: createTokenizer(await readTokenizer(join(directory, 'tokenizer.json'))) });
}

function baseDirectory(): string {
  return fileURLToPath(new URL('../base', import.meta.url));
}

async function readTokenizer(path: string): Promise<TokenizerData> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new TadpoleError({ code: 'storage', message: `cannot read the tokenizer ${path}; give a folder that holds it`, cause });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TadpoleError({ code: 'invalid-input', message: `${path}: expected JSON; take the file again from its training`, cause });
  }
}
