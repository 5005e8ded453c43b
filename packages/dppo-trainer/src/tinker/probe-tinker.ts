import { sampleOutputSchema, type WireDatum } from '@tadpole/contracts/tinker';
import { z } from 'zod';
import { chooseModel } from './choose-model.js';
import { encodeForwardBackward } from './tinker-codec.js';
import { asEngineError, TinkerFailure } from './tinker-failure.js';
import { type ResultReader, requestIdOf, retrieveResult } from './tinker-futures.js';
import { createTinkerModel } from './tinker-model.js';
import { type TinkerProfile, type TinkerProfileName, tinkerProfileOf } from './tinker-profile.js';
import { openTinkerSession } from './tinker-session.js';
import { createTransport, type TransportOptions } from './tinker-transport.js';

/** What a profile says of a server, and what the server did. */
export interface ProbedTrait {
  /** Key of {@link TinkerProfile}; for a loss or a setting with its name, for instance `losses.dppo`. */
  readonly trait: string;
  readonly declared: unknown;
  readonly found: unknown;
  readonly agrees: boolean;
}

const lossNames = ['importance_sampling', 'ppo', 'cispo', 'dppo'];
const anything = { schema: z.looseObject({}) };

/**
 * Asks a server what its profile declares, as far as answers can tell without a change of weights: losses, forms of
 * log-probabilities of prompts, numbered requests that come twice, the metric of the gradient norm, protobuf. Makes a model of its own for it
 * and unloads it, so run it before the training model is made where a server has one at a time. What cannot be told this way
 * (`lossReduction`, honoured settings of the optimizer, whether samplers are snapshots) is shown by `tinkerConformance`, which trains.
 *
 * @throws TadpoleError `engine` with a {@link TinkerFailure} as its cause, `invalid-config`, `aborted`.
 */
export function probeTinker(
  options: Omit<TransportOptions, 'random'> & {
    server: TinkerProfileName | TinkerProfile;
    /** @default the only one that it has */
    baseModel?: string;
    /** LoRA rank of the model that is made. @default 8 */
    rank?: number;
    /** A request without a result after so long is given up. @default 900000 */
    stuckMs?: number;
    /** Milliseconds. @default the machine's clock */
    now?: () => number;
    /** Uniform in [0, 1). @default Math.random */
    random?: () => number;
    signal?: AbortSignal;
  },
): Promise<readonly ProbedTrait[]> {
  const { random = Math.random, now = Date.now, stuckMs = 900_000, rank = 8, signal } = options;
  const profile = tinkerProfileOf(options.server);
  const transport = createTransport({ ...options, random });
  const wait = { stuckMs, now };
  return asEngineError(async () => {
    const { baseModel } = await chooseModel({ ...options, transport });
    const session = await openTinkerSession({ transport, signal });
    try {
      const model = await createTinkerModel({ ...{ transport, wait, baseModel, rank, signal }, sessionId: session.id, modelSeqId: 0 });
      try {
        const ask = async <Schema extends z.ZodType>(path: string, body: object | Uint8Array, reader: ResultReader<Schema>) => {
          const sent = body instanceof Uint8Array ? { protobuf: body } : { json: body };
          const { requestId } = requestIdOf(await transport({ path, ...sent, signal }));
          return { requestId, result: await retrieveResult({ transport, requestId, reader, ...wait, signal }) };
        };
        return await probe({ ask, profile, modelId: model.id, baseModel });
      } finally {
        // What went wrong before is what is told.
        await model.unload().catch(() => undefined);
      }
    } finally {
      session.close();
    }
  });
}

type Ask = <Schema extends z.ZodType>(
  path: string,
  body: object | Uint8Array,
  reader: ResultReader<Schema>,
) => Promise<{ requestId: string; result: z.infer<Schema> }>;

async function probe(options: { ask: Ask; profile: TinkerProfile; modelId: string; baseModel: string }): Promise<readonly ProbedTrait[]> {
  const { ask, profile, modelId, baseModel } = options;
  let seqId = 0;
  const train = (path: string, body: object) => ask(path, { model_id: modelId, seq_id: ++seqId, ...body }, anything);
  const found: [trait: string, declared: unknown, found: unknown][] = [];
  for (const name of lossNames) {
    const took = await taken(train('/forward_backward', { forward_backward_input: { data: [datum('advantages')], loss_fn: name } }));
    found.push([`losses.${name}`, profile.losses.includes(name), took]);
  }
  // Nothing was added to the gradient, and the rate is zero: the step leaves the weights as they were.
  const adam = { learning_rate: 0, beta1: 0.9, beta2: 0.98, eps: 1e-8, weight_decay: 0 };
  const step = await ask(
    '/optim_step',
    { model_id: modelId, seq_id: ++seqId, adam_params: adam, type: 'optim_step' },
    { schema: z.looseObject({ metrics: z.record(z.string(), z.unknown()).nullish() }) },
  );
  const norm = profile.gradientNormMetric;
  const names = Object.keys(step.result.metrics ?? {});
  found.push([
    'gradientNormMetric',
    norm,
    norm !== undefined && names.includes(norm) ? norm : names.find((name) => /grad.*norm/.test(name)),
  ]);

  const twice = { model_id: modelId, seq_id: ++seqId, forward_input: { data: [datum('weights')], loss_fn: 'cross_entropy' } };
  const first = await ask('/forward', twice, anything);
  found.push(['seqIdDedup', profile.seqIdDedup, (await ask('/forward', twice, anything)).requestId === first.requestId]);

  const call = { modelId, seqId: ++seqId, data: [datum('weights')], lossFn: 'cross_entropy', lossFnConfig: {}, forwardOnly: true };
  const takesProtobuf = await taken(ask('/forward_backward', encodeForwardBackward(call), anything));
  if (profile.wire === 'protobuf') found.push(['wire', 'protobuf', takesProtobuf ? 'protobuf' : 'json']);

  const topk = await promptForms({ ask, baseModel });
  found.push(['topkPromptLogprobs', profile.topkPromptLogprobs, topk.topk]);
  found.push(['promptLogprobsLeadingNull', profile.promptLogprobsLeadingNull, topk.leadingNull]);
  return found.map(([trait, declared, actual]) => ({ trait, declared, found: actual, agrees: declared === actual }));
}

/** Two tokens whose loss has no gradient. */
function datum(zeros: 'advantages' | 'weights'): WireDatum {
  const floats = { data: [0, 0], dtype: 'float32' as const };
  const inputs: WireDatum['loss_fn_inputs'] = zeros === 'weights' ? { weights: floats } : { advantages: floats, logprobs: floats };
  return {
    model_input: { chunks: [{ type: 'encoded_text' as const, tokens: [1, 2] }] },
    loss_fn_inputs: { target_tokens: { data: [2, 3], dtype: 'int64' as const }, ...inputs },
  };
}

/** How log-probabilities of a prompt come back, and whether those of its likeliest tokens do. */
async function promptForms({ ask, baseModel }: { ask: Ask; baseModel: string }) {
  const prompt = [1, 2, 3];
  const body = {
    ...{ base_model: baseModel, num_samples: 1, prompt: { chunks: [{ type: 'encoded_text', tokens: prompt }] }, type: 'sample' },
    ...{ prompt_logprobs: true, sampling_params: { max_tokens: 1, temperature: 1, seed: 1 } },
  };
  const reader = { schema: sampleOutputSchema };
  const { result } = await ask('/asample', body, reader);
  const rows = result.prompt_logprobs ?? [];
  const withTopk = await ask(
    '/asample',
    { ...body, topk_prompt_logprobs: 2 },
    { schema: z.looseObject({ topk_prompt_logprobs: z.unknown().optional() }) },
  ).catch(unlessRefused);
  return { leadingNull: rows.length === prompt.length && rows[0] === null, topk: Array.isArray(withTopk?.result.topk_prompt_logprobs) };
}

async function taken(asked: Promise<unknown>): Promise<boolean> {
  return (await asked.catch(unlessRefused)) !== undefined;
}

function unlessRefused(error: unknown): undefined {
  if (error instanceof TinkerFailure && (error.kind === 'refused' || error.kind === 'failed')) return undefined;
  throw error;
}
