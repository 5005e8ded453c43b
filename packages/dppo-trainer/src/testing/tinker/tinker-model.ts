import assert from 'node:assert/strict';
import { isRefused, type TinkerAnswer, type TinkerRequests } from './tinker-requests.js';

/** One shifted sequence with the inputs of a loss by their protocol names; all arrays are [T]. */
export interface RawDatum {
  readonly inputs: readonly number[];
  readonly targets: readonly number[];
  readonly extra: Readonly<Record<string, readonly number[]>>;
}

/** Adam settings of the suite: `eps` is large, so that a step is nearly proportional to its gradient and scales can be told apart. */
export const proportionalAdam = { learning_rate: 1, beta1: 0.9, beta2: 0.95, eps: 1, weight_decay: 0 };

/** A model of the suite with its own numbers of requests. */
export interface RawModel {
  readonly modelId: string;
  readonly sessionId: string;
  /** Number of the next request. */
  next(): number;
  body(data: readonly RawDatum[], loss: string, config?: Readonly<Record<string, number>>): Record<string, unknown>;
  /** Log-probabilities of every datum's targets, [T] each. */
  forward(data: readonly RawDatum[]): Promise<number[][]>;
  forwardBackward(data: readonly RawDatum[], loss: string, config?: Readonly<Record<string, number>>): Promise<number[][]>;
  step(adam?: Readonly<Record<string, number>>): Promise<void>;
  /** Saves the weights for sampling and gives the protocol's path. */
  saveSampler(name: string): Promise<string>;
}

/** The result of a request that must succeed. */
export function succeeded(answer: TinkerAnswer): TinkerAnswer['body'] {
  assert.ok(answer.status === 200 && !isRefused(answer), `expected a result, came ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

function logprobsOf(body: TinkerAnswer['body']): number[][] {
  const outputs = body.loss_fn_outputs as { logprobs: { data: number[] } }[];
  return outputs.map(({ logprobs }) => logprobs.data);
}

/** `loss_fn_inputs` and `model_input` of a datum, as the protocol writes them. */
function wireDatum({ inputs, targets, extra }: RawDatum): Record<string, unknown> {
  const tensors = Object.entries(extra).map(([name, data]) => [name, { data, dtype: 'float32', shape: [data.length] }]);
  return {
    model_input: { chunks: [{ type: 'encoded_text', tokens: inputs }] },
    loss_fn_inputs: { target_tokens: { data: targets, dtype: 'int64', shape: [targets.length] }, ...Object.fromEntries(tensors) },
  };
}

/** The protocol lists weights among the inputs of cross-entropy; not every server fills them. */
function weighted(datum: RawDatum): RawDatum {
  return { ...datum, extra: { weights: datum.targets.map(() => 1), ...datum.extra } };
}

/** Creates a session and a model, runs `use`, and unloads the model whatever happened. */
export async function withModel<T>(
  options: { requests: TinkerRequests; baseModel: string; rank: number },
  use: (model: RawModel) => Promise<T>,
): Promise<T> {
  const { requests, baseModel, rank } = options;
  const session = succeeded(
    await requests.send('/create_session', { tags: [], user_metadata: null, sdk_version: '0.38.0', type: 'create_session' }),
  );
  const sessionId = String(session.session_id);
  const created = succeeded(
    await requests.finish('/create_model', {
      session_id: sessionId,
      model_seq_id: 0,
      base_model: baseModel,
      lora_config: { rank, seed: 7 },
      type: 'create_model',
    }),
  );
  const modelId = String(created.model_id);
  let sequence = 0;
  const model: RawModel = {
    modelId,
    sessionId,
    next: () => ++sequence,
    body: (data, loss, config) => ({
      data: data.map((one) => wireDatum(loss === 'cross_entropy' ? weighted(one) : one)),
      loss_fn: loss,
      ...(config ? { loss_fn_config: config } : {}),
    }),
    async forward(data) {
      const forward_input = model.body(data, 'cross_entropy');
      return logprobsOf(succeeded(await requests.finish('/forward', { model_id: modelId, forward_input, seq_id: model.next() })));
    },
    async forwardBackward(data, loss, config) {
      const forward_backward_input = model.body(data, loss, config);
      return logprobsOf(
        succeeded(await requests.finish('/forward_backward', { model_id: modelId, forward_backward_input, seq_id: model.next() })),
      );
    },
    async step(adam = proportionalAdam) {
      succeeded(await requests.finish('/optim_step', { model_id: modelId, adam_params: adam, seq_id: model.next(), type: 'optim_step' }));
    },
    async saveSampler(name) {
      const saved = await requests.finish('/save_weights_for_sampler', {
        model_id: modelId,
        path: name,
        seq_id: model.next(),
        type: 'save_weights_for_sampler',
      });
      return String(succeeded(saved).path);
    },
  };
  try {
    return await use(model);
  } finally {
    await requests.finish('/unload_model', { model_id: modelId, type: 'unload_model' });
  }
}
