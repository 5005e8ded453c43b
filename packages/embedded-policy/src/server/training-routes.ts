import {
  type ForwardBackwardInput,
  type ForwardBackwardOutput,
  forwardBackwardRequestSchema,
  forwardRequestSchema,
  optimStepRequestSchema,
} from '@tadpole/contracts/tinker';
import type { Engine } from '../engine/create-engine.js';
import { prepareLoss } from './loss-over-data.js';
import { parseBody } from './parse-body.js';
import { RefusedRequest } from './refused-request.js';
import { queueRequest, type Route, type RouteAnswer, type ServerState } from './server-state.js';
import { decodeForwardBackward, encodeForwardBackwardOutput } from './wire-codec.js';

/** `forward`, `forward_backward` and `optim_step`. */
export const trainingRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: /^\/forward$/,
    async answer({ json, body }, state) {
      const { forward_input: input, ...request } = parseBody(forwardRequestSchema, json());
      return queueLoss({ state, input, request, body, isForwardOnly: true });
    },
  },
  {
    method: 'POST',
    path: /^\/forward_backward$/,
    async answer({ json, body, isProtobuf }, state) {
      const { forwardOnly, request: raw } = isProtobuf ? decodeForwardBackward(body) : { forwardOnly: false, request: json() };
      const { forward_backward_input: input, ...request } = parseBody(forwardBackwardRequestSchema, raw);
      return queueLoss({ state, input, request, body, isForwardOnly: forwardOnly });
    },
  },
  {
    method: 'POST',
    path: /^\/optim_step$/,
    async answer({ json, body }, state) {
      const { model_id, seq_id, adam_params: adam } = parseBody(optimStepRequestSchema, json());
      const settings = {
        learningRate: adam.learning_rate,
        ...{ beta1: adam.beta1, beta2: adam.beta2, epsilon: adam.eps, weightDecay: adam.weight_decay, gradientClip: adam.grad_clip_norm },
      };
      const work = async (engine: Engine) => {
        const { gradientNorm } = await engine.optimStep(settings);
        return { json: { metrics: { 'grad_norm:mean': gradientNorm } } };
      };
      return queueRequest({ state, model: state.models.get(model_id), seqId: seq_id, body, work });
    },
  },
];

function queueLoss(options: {
  state: ServerState;
  input: ForwardBackwardInput;
  request: { model_id: string; seq_id?: number | null | undefined };
  body: Uint8Array;
  isForwardOnly: boolean;
}): RouteAnswer {
  const { state, input, request, body, isForwardOnly } = options;
  const model = state.models.get(request.model_id);
  requireSizes({ state, input });
  const prepared = prepareLoss({ input, model: state.config });
  const work = async (engine: Engine) => {
    const rows = (await engine.forward({ sequences: prepared.sequences })).map(({ logprobs }) => logprobs);
    const { loss, gradients } = prepared.evaluate(rows);
    if (!isForwardOnly) await engine.forwardBackward({ sequences: prepared.sequences, logprobGradients: gradients });
    const output = outputOf({ rows, loss });
    const numbers = rows.reduce((sum, row) => sum + row.length, 0);
    return { json: output, protobuf: () => encodeForwardBackwardOutput(output), numbers };
  };
  return queueRequest({ state, model, seqId: request.seq_id, body, work });
}

function outputOf({ rows, loss }: { rows: readonly Float32Array[]; loss: number }): ForwardBackwardOutput {
  return {
    loss_fn_output_type: 'ArrayRecord',
    loss_fn_outputs: rows.map((row) => ({ logprobs: { data: [...row], dtype: 'float32' as const, shape: [row.length] } })),
    metrics: { 'loss:sum': loss },
  };
}

function requireSizes({ state: { limits }, input }: { state: ServerState; input: ForwardBackwardInput }): void {
  const { data } = input;
  if (data.length === 0 || data.length > limits.data)
    throw new RefusedRequest(400, `Expected 1 to ${limits.data} data in a request, got ${data.length}; send several.`);
  const tokens = data.reduce((sum, { model_input }) => sum + model_input.chunks.reduce((all, chunk) => all + chunk.tokens.length, 0), 0);
  if (tokens > limits.tokens)
    throw new RefusedRequest(400, `Expected at most ${limits.tokens} tokens in a request, got ${tokens}; send several.`);
}
