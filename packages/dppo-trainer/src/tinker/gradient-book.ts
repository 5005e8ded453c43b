import { type Datum, type DatumForward, TadpoleError, type TrainingClient } from '@tadpole/contracts';
import { type ForwardBackwardOutput, forwardBackwardOutputSchema, optimStepResultSchema, type WireDatum } from '@tadpole/contracts/tinker';
import { chunkData } from './chunk-data.js';
import { decodeForwardBackwardOutput, encodeForwardBackward } from './tinker-codec.js';
import { TinkerFailure } from './tinker-failure.js';
import type { TinkerModel } from './tinker-model.js';
import type { TinkerProfile } from './tinker-profile.js';

type ForwardBackward = Parameters<TrainingClient['forwardBackward']>[0];
type ForwardBackwardLoss = Parameters<NonNullable<TrainingClient['forwardBackwardLoss']>>[0];

/** Forward and backward passes of one model, in the form that its server needs. */
export interface GradientBook {
  forward(call: { data: readonly Datum[]; signal?: AbortSignal | undefined }): Promise<readonly DatumForward[]>;
  forwardBackward(call: ForwardBackward): Promise<readonly DatumForward[]>;
  forwardBackwardLoss(call: ForwardBackwardLoss): Promise<readonly DatumForward[]>;
  optimStep(call: { body: object; signal?: AbortSignal | undefined }): Promise<{ gradientNorm?: number }>;
  /** Drops gradients that wait for a step. */
  clear(): void;
}

/** A pass that waits for its step, since its weight depends on how many data there will be. */
interface Waiting {
  readonly data: readonly Datum[];
  readonly gradients: ForwardBackward['gradients'];
  readonly logprobs: Promise<readonly Float32Array[]>;
}

/**
 * A gradient g on log-probabilities becomes a loss of the server whose derivative is g: where the server adds losses up, its cross
 * entropy -w lp with w = -g; where it takes means, its importance sampling -exp(lp - q) A with q the current log-probabilities, so that
 * the ratio is 1, and A = -g n N for n tokens of the sequence and N sequences before the step (tinker-protocol.md sections 1.9a, 2.3).
 */
export function createGradientBook({ model, profile }: { model: TinkerModel; profile: TinkerProfile }): GradientBook {
  let waiting: Waiting[] = [];
  /** Behind what must be on its way before the next call. */
  let gate: Promise<unknown> = Promise.resolve();
  const inOrder = <Result>(call: () => Promise<Result>): Promise<Result> => gate.then(call);
  const reader = {
    schema: forwardBackwardOutputSchema,
    ...(profile.wire === 'protobuf' ? { fromProtobuf: decodeForwardBackwardOutput } : {}),
  };

  return {
    forward,
    async forwardBackward({ data, gradients, logprobs, signal }) {
      requireGradients({ data, gradients });
      if (profile.lossReduction === 'sum') {
        const inputs = gradients.map((gradient) => ({ weights: Array.from(gradient, (value) => -value || 0) }));
        return inOrder(() => send({ data, lossFn: 'cross_entropy', inputs, signal }));
      }
      const current =
        logprobs === undefined ? forward({ data, signal }).then((rows) => rows.map((row) => row.logprobs)) : Promise.resolve(logprobs);
      waiting.push({ data, gradients, logprobs: current });
      return (await current).map((row) => ({ logprobs: row }));
    },
    forwardBackwardLoss({ data, loss, inputs, signal }) {
      const own = inputs.map(({ rolloutLogprobs, advantages }) => ({ logprobs: [...rolloutLogprobs], advantages: [...advantages] }));
      return inOrder(() => send({ data, lossFn: loss.name, lossFnConfig: loss.config, inputs: own, signal }));
    },
    async optimStep({ body, signal }) {
      const passes = waiting;
      waiting = [];
      const begun = gate.then(async () => {
        const logprobs = await Promise.all(passes.map((pass) => pass.logprobs));
        const backward = passes.map((pass, index) => sendAtRatioOne({ pass, logprobs: logprobs[index] ?? [], passes, signal }));
        const step = model.request({
          path: '/optim_step',
          body: (seq_id) => ({ json: { model_id: model.id, ...body, seq_id, type: 'optim_step' } }),
          reader: { schema: optimStepResultSchema },
          signal,
        });
        // The step is on its way behind them; a failure of theirs is told first.
        step.catch(() => undefined);
        return { backward: Promise.all(backward), step };
      });
      gate = begun.then(
        () => undefined,
        () => undefined,
      );
      const { backward, step } = await begun;
      await backward;
      const { metrics } = await step;
      const norm = profile.gradientNormMetric === undefined ? undefined : metrics?.[profile.gradientNormMetric];
      return typeof norm === 'number' ? { gradientNorm: norm } : {};
    },
    clear() {
      waiting = [];
    },
  };

  function forward({ data, signal }: Parameters<GradientBook['forward']>[0]): Promise<readonly DatumForward[]> {
    return inOrder(() => send({ data, lossFn: 'cross_entropy', inputs: data.map(noWeights), forwardOnly: true, signal }));
  }

  function sendAtRatioOne(options: {
    pass: Waiting;
    logprobs: readonly Float32Array[];
    passes: readonly Waiting[];
    signal: AbortSignal | undefined;
  }): Promise<readonly DatumForward[]> {
    const { pass, logprobs, passes, signal } = options;
    const { data, gradients } = pass;
    const sequences = passes.reduce((sum, one) => sum + one.data.length, 0);
    const inputs = data.map(({ targets }, index) => ({
      logprobs: [...(logprobs[index] ?? [])],
      advantages: Array.from(gradients[index] ?? [], (value) => -value * targets.length * sequences || 0),
    }));
    return send({ data, lossFn: 'importance_sampling', inputs, signal });
  }

  async function send(call: {
    data: readonly Datum[];
    lossFn: string;
    lossFnConfig?: Readonly<Record<string, number>>;
    inputs: readonly Readonly<Record<string, readonly number[]>>[];
    forwardOnly?: boolean;
    signal?: AbortSignal | undefined;
  }): Promise<readonly DatumForward[]> {
    const { data, lossFn, lossFnConfig = {}, inputs, forwardOnly = false, signal } = call;
    const chunks = chunkData({ ...profile, data: data.map((datum, index) => toWire(datum, inputs[index] ?? {})) });
    const outputs = await Promise.all(
      chunks.map((chunk) =>
        model.request({
          path: forwardOnly && profile.wire === 'json' ? '/forward' : '/forward_backward',
          body: (seqId) => bodyOf({ profile, call: { modelId: model.id, seqId, data: chunk, lossFn, lossFnConfig, forwardOnly } }),
          reader,
          signal,
        }),
      ),
    );
    return readForwards({ outputs, data });
  }
}

function bodyOf({ profile, call }: { profile: TinkerProfile; call: Parameters<typeof encodeForwardBackward>[0] }) {
  if (profile.wire === 'protobuf') return { protobuf: encodeForwardBackward(call) };
  const { modelId: model_id, seqId: seq_id, data, lossFn: loss_fn, lossFnConfig, forwardOnly } = call;
  const input = { data, loss_fn, ...(Object.keys(lossFnConfig).length > 0 ? { loss_fn_config: lossFnConfig } : {}) };
  return { json: { model_id, seq_id, [forwardOnly ? 'forward_input' : 'forward_backward_input']: input } };
}

function noWeights({ targets }: Datum) {
  return { weights: Array.from(targets, () => 0) };
}

function toWire({ inputs, targets }: Datum, arrays: Readonly<Record<string, readonly number[]>>): WireDatum {
  const tensors = Object.entries(arrays).map(([name, data]) => [name, { data: [...data], dtype: 'float32' as const }] as const);
  return {
    model_input: { chunks: [{ type: 'encoded_text', tokens: [...inputs] }] },
    loss_fn_inputs: { target_tokens: { data: [...targets], dtype: 'int64' }, ...Object.fromEntries(tensors) },
  };
}

function readForwards({ outputs, data }: { outputs: readonly ForwardBackwardOutput[]; data: readonly Datum[] }): DatumForward[] {
  const rows = outputs.flatMap(({ loss_fn_outputs }) => loss_fn_outputs);
  if (rows.length !== data.length)
    throw new TinkerFailure({ kind: 'malformed', message: `expected log-probabilities of ${data.length} data, got ${rows.length}` });
  return rows.map((row, index) => {
    const logprobs = Float32Array.from(row.logprobs?.data ?? []);
    const length = data[index]?.targets.length ?? 0;
    if (logprobs.length !== length)
      throw new TinkerFailure({
        kind: 'malformed',
        message: `expected ${length} log-probabilities of datum ${index}, got ${logprobs.length}`,
      });
    return { logprobs };
  });
}

function requireGradients({ data, gradients }: Pick<ForwardBackward, 'data' | 'gradients'>): void {
  const fits = gradients.length === data.length && data.every(({ targets }, index) => gradients[index]?.length === targets.length);
  if (!fits)
    throw new TadpoleError({ code: 'invalid-input', message: 'Expected one gradient for each datum, of the length of its targets.' });
}
