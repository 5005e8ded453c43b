import { pathToFileURL } from 'node:url';
import type { InstalledModel } from './install-model.js';

/** The members of `node-llama-cpp` that are used; it is installed apart, so its own types are not at hand. */
interface LlamaModule {
  LlamaGrammarEvaluationState: new (options: { model: LlamaModel; grammar: LlamaGrammar }) => LlamaGrammarState;
  getLlama(options: { gpu: false; build: 'never'; progressLogs: false; maxThreads: number }): Promise<{
    loadModel(options: { modelPath: string }): Promise<LlamaModel>;
    createGrammarForJsonSchema(schema: object): Promise<LlamaGrammar>;
    dispose(): Promise<void>;
  }>;
}
/** Opaque. */
type LlamaGrammar = { readonly grammar: string };
/** Opaque. */
type LlamaGrammarState = { clone(): LlamaGrammarState };
interface LlamaModel {
  tokenize(text: string, specialTokens: boolean): number[];
  detokenize(ids: readonly number[], specialTokens: boolean): string;
  isEogToken(id: number): boolean;
  createContext(options: { contextSize: number; threads: number }): Promise<{ getSequence(): LlamaSequence }>;
}
interface LlamaSequence {
  clearHistory(): Promise<void>;
  evaluateWithMetadata(
    ids: readonly number[],
    metadata: { confidence: true },
    options: {
      temperature: number;
      topK: number;
      topP: number;
      minP: number;
      seed: number;
      yieldEogToken: true;
      grammarEvaluationState?: LlamaGrammarState;
    },
  ): AsyncIterable<{ token: number; confidence: number }>;
}

/** What a model wrote after a prompt. */
export interface Generation {
  readonly promptIds: readonly number[];
  /** The token that ends the turn included. */
  readonly completionIds: readonly number[];
  /** In nats. */
  readonly logprobs: readonly number[];
  /** Without the token that ends the turn. */
  readonly text: string;
  readonly stopReason: 'stop' | 'length';
}

/** A model that continues text, one request at a time. */
export interface Engine {
  readonly contextTokens: number;
  /** @returns what it wrote, or the length of a prompt that leaves no room. */
  generate(options: {
    prompt: string;
    maxTokens: number;
    temperature: number;
    topP: number;
    topK: number;
    seed: number;
    /** What it writes is JSON of this schema. @default nothing constrains it */
    jsonSchema?: object;
  }): Promise<Generation | { readonly tooLong: number }>;
  close(): Promise<void>;
}

/** Loads a model on the processor, in one thread: more would wait for each other on a busy machine. */
export async function openEngine({ enginePath, modelPath }: InstalledModel): Promise<Engine> {
  const contextTokens = 4096;
  const { getLlama, LlamaGrammarEvaluationState } = (await import(pathToFileURL(enginePath).href)) as LlamaModule;
  const llama = await getLlama({ gpu: false, build: 'never', progressLogs: false, maxThreads: 1 });
  const model = await llama.loadModel({ modelPath });
  const sequence = (await model.createContext({ contextSize: contextTokens, threads: 1 })).getSequence();
  let before: Promise<unknown> = Promise.resolve();

  /** Holds what is written to a schema. The grammar lets white space follow the JSON without end, so four line ends are its end. */
  async function constrain(jsonSchema: object | undefined) {
    if (jsonSchema === undefined) return { constraint: {}, isJsonOver: () => false };
    const grammar = await llama.createGrammarForJsonSchema(jsonSchema);
    const isJsonOver = (ids: readonly number[]) => model.detokenize(ids.slice(-4), true).endsWith('\n\n\n\n');
    return { constraint: { grammarEvaluationState: new LlamaGrammarEvaluationState({ model, grammar }) }, isJsonOver };
  }

  async function generate(options: Parameters<Engine['generate']>[0]): Promise<Generation | { tooLong: number }> {
    const { prompt, temperature, topP, topK, seed, jsonSchema } = options;
    const promptIds = model.tokenize(prompt, true);
    const room = contextTokens - promptIds.length;
    if (room <= 0) return { tooLong: promptIds.length };
    const completionIds: number[] = [];
    const logprobs: number[] = [];
    await sequence.clearHistory();
    const { constraint, isJsonOver } = await constrain(jsonSchema);
    const drawn = sequence.evaluateWithMetadata(
      promptIds,
      { confidence: true },
      { temperature, topK, topP, minP: 0, seed, yieldEogToken: true, ...constraint },
    );
    for await (const { token, confidence } of drawn) {
      completionIds.push(token);
      logprobs.push(Math.min(0, Math.log(confidence)));
      if (isJsonOver(completionIds)) break;
      if (model.isEogToken(token) || completionIds.length === Math.min(room, options.maxTokens)) break;
    }
    const isEnded = completionIds.length > 0 && model.isEogToken(completionIds.at(-1)!);
    const text = model.detokenize(isEnded ? completionIds.slice(0, -1) : completionIds, true);
    return { promptIds, completionIds, logprobs, text, stopReason: isEnded || isJsonOver(completionIds) ? 'stop' : 'length' };
  }

  return {
    contextTokens,
    generate(options) {
      const result = before.then(() => generate(options));
      before = result.catch(() => {});
      return result;
    },
    close: () => llama.dispose(),
  };
}
