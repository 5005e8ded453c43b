import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Renderer, TadpoleError, type TrainingClient } from '@tadpole/contracts';
import { createTinkerClient } from '@tadpole/dppo-trainer';
import { loadBasePolicy, loadBaseRenderer } from '@tadpole/embedded-policy';
import {
  compileChatTemplate,
  createHermesRenderer,
  createQwen3Renderer,
  createQwenXmlRenderer,
  loadTokenizer,
} from '@tadpole/leaf-harness';
import type { EngineConfiguration } from './configuration.js';

/** What trains and samples a run, with what turns messages into its tokens. */
export interface OpenedEngine {
  readonly client: TrainingClient;
  readonly renderer: Renderer;
  /** Lets it go; idempotent. */
  close(): Promise<void>;
}

const renderers = { qwen3: createQwen3Renderer, 'qwen-xml': createQwenXmlRenderer, hermes: createHermesRenderer } as const;

/**
 * Opens the engine that a configuration names. The loop does not know which it is.
 *
 * @throws TadpoleError `invalid-config` for a missing key or tokenizer, and what the engine throws.
 */
export async function openEngine(options: {
  engine: EngineConfiguration;
  /** Of a LoRA adapter's first weights. */
  seed: number;
  /** Where keys stand. */
  environment: Readonly<Record<string, string | undefined>>;
  signal: AbortSignal;
}): Promise<OpenedEngine> {
  const { engine, seed, environment, signal } = options;
  if (engine.kind === 'embedded') return loadBasePolicy({ signal });
  const { kind: _, renderer: format, tokenizer, apiKeyEnv, ...connection } = engine;
  const apiKey = apiKeyEnv === undefined ? undefined : environment[apiKeyEnv];
  if (apiKeyEnv !== undefined && !apiKey) throw invalid(`engine.apiKeyEnv: expected a key in the variable ${apiKeyEnv}, which is not set`);
  const renderer = format === 'embedded' ? await loadBaseRenderer() : await modelRenderer({ format, tokenizer });
  const { client, close } = await createTinkerClient({ ...connection, apiKey, seed, signal });
  return { client, renderer, close };
}

async function modelRenderer(options: { format: keyof typeof renderers; tokenizer: string | undefined }): Promise<Renderer> {
  const { format, tokenizer: folder } = options;
  if (folder === undefined) throw invalid(`engine.tokenizer: expected the folder of the model's tokenizer for the renderer ${format}`);
  const read = async (name: string) => {
    try {
      return await readFile(join(folder, name), 'utf8');
    } catch (cause) {
      throw new TadpoleError({
        code: 'invalid-config',
        message: `engine.tokenizer: expected ${name} in ${folder}: ${(cause as Error).message}`,
        cause,
      });
    }
  };
  const json = async (name: string): Promise<object> => {
    const text = await read(name);
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new TadpoleError({ code: 'invalid-input', message: `${join(folder, name)}: expected JSON`, cause });
    }
  };
  const tokenizer = await loadTokenizer({
    tokenizerJson: await json('tokenizer.json'),
    tokenizerConfig: await json('tokenizer_config.json'),
  });
  const chatTemplate = await compileChatTemplate({ template: await read('chat_template.jinja') });
  return renderers[format]({ tokenizer, chatTemplate });
}

function invalid(problem: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-config', message: `${problem}.` });
}
