import { type OptimizerSettings, TadpoleError } from '@tadpole/contracts';

/**
 * What a kind of server does, as data: the client reads it and has no branch for a server (tinker-protocol.md sections 1.9 and 6.1).
 * `probeTinker` compares a server with it.
 */
export interface TinkerProfile {
  readonly name: string;
  /** Form of `forward_backward` and of large results. */
  readonly wire: 'json' | 'protobuf';
  /** Losses of its own. */
  readonly losses: readonly string[];
  /** `sum`: over tokens and data. `sequence-mean`: the weighted mean of a sequence's tokens, then the mean of all sequences since the last step. */
  readonly lossReduction: 'sum' | 'sequence-mean';
  /** Settings of `optim_step` that it honours. */
  readonly optimizerSettings: readonly (keyof OptimizerSettings)[];
  /** Name of the gradient norm among the metrics of `optim_step`. */
  readonly gradientNormMetric?: string;
  /** A sampler stays as it was saved, and sampling never touches the weights in training. */
  readonly samplerIsSnapshot: boolean;
  /** `prompt_logprobs` begins with null, so that it is as long as the prompt. */
  readonly promptLogprobsLeadingNull: boolean;
  readonly topkPromptLogprobs: boolean;
  /** A request that is sent again under its number is answered with the first one's result. */
  readonly seqIdDedup: boolean;
  /** `load_weights` must be a model's first request, and takes `optimizer`. */
  readonly loadFirstOnly: boolean;
  /** Data of one `forward_backward` at most. */
  readonly mostData: number;
  /** Bytes of its numbers at most, as the client estimates them; a longer datum goes alone. */
  readonly mostBytes: number;
  /** Seeds of samples are below it; a larger one is folded into what the server can hold. */
  readonly seedLimit: number;
}

/** What an unsigned number of 32 bits holds, as the harness draws seeds. */
const anySeed = 2 ** 32;
/** JAX takes a signed number of 32 bits, and the server adds a sample's index to the seed. */
const signedSeed = 2 ** 31 - 2 ** 16;

/** As the official SDK splits a batch (tinker-protocol.md section 1.4). */
const chunks = { mostData: 1_024, mostBytes: 5_000_000 } as const;
const adam = ['learningRate', 'beta1', 'beta2', 'epsilon', 'weightDecay'] as const;

/** The servers that are known. Of `hosted` and `skyrl-gpu` nothing was run: their lines are read from documents and sources. */
export const tinkerProfiles = {
  /** `tadpole serve`. */
  tadpole: {
    name: 'tadpole',
    wire: 'json',
    losses: ['importance_sampling', 'ppo', 'cispo', 'dppo'],
    lossReduction: 'sum',
    optimizerSettings: [...adam, 'gradientClip'],
    gradientNormMetric: 'grad_norm:mean',
    samplerIsSnapshot: true,
    promptLogprobsLeadingNull: true,
    topkPromptLogprobs: false,
    seqIdDedup: true,
    loadFirstOnly: true,
    ...chunks,
    seedLimit: anySeed,
  },
  /** SkyRL 0.3.0 with its JAX backend. */
  'skyrl-jax': {
    name: 'skyrl-jax',
    wire: 'json',
    losses: ['importance_sampling', 'ppo', 'cispo'],
    lossReduction: 'sequence-mean',
    optimizerSettings: adam,
    gradientNormMetric: 'skyrl.ai/grad_norm',
    samplerIsSnapshot: false,
    promptLogprobsLeadingNull: false,
    topkPromptLogprobs: false,
    seqIdDedup: false,
    loadFirstOnly: false,
    ...chunks,
    seedLimit: signedSeed,
  },
  /** SkyRL with FSDP or Megatron. Betas, decay and clipping are set where the server is started. */
  'skyrl-gpu': {
    name: 'skyrl-gpu',
    wire: 'json',
    losses: ['importance_sampling', 'ppo', 'cispo', 'dppo'],
    lossReduction: 'sum',
    optimizerSettings: ['learningRate'],
    gradientNormMetric: 'skyrl.ai/grad_norm',
    samplerIsSnapshot: true,
    promptLogprobsLeadingNull: true,
    topkPromptLogprobs: true,
    seqIdDedup: true,
    loadFirstOnly: true,
    ...chunks,
    seedLimit: anySeed,
  },
  /** The hosted service. */
  hosted: {
    name: 'hosted',
    wire: 'protobuf',
    losses: ['importance_sampling', 'ppo', 'cispo'],
    lossReduction: 'sum',
    optimizerSettings: [...adam, 'gradientClip'],
    samplerIsSnapshot: true,
    promptLogprobsLeadingNull: true,
    topkPromptLogprobs: true,
    seqIdDedup: true,
    loadFirstOnly: true,
    ...chunks,
    seedLimit: anySeed,
  },
} as const satisfies Readonly<Record<string, TinkerProfile>>;

/** Name of a known profile. */
export type TinkerProfileName = keyof typeof tinkerProfiles;

/** A profile by its name, or the one that was given. @throws TadpoleError `invalid-config` for an unknown name */
export function tinkerProfileOf(server: TinkerProfileName | TinkerProfile): TinkerProfile {
  if (typeof server !== 'string') return server;
  if (Object.hasOwn(tinkerProfiles, server)) return tinkerProfiles[server];
  const known = Object.keys(tinkerProfiles).join(', ');
  throw new TadpoleError({
    code: 'invalid-config',
    message: `Tinker server: expected server to be one of ${known}, got ${JSON.stringify(server)}.`,
  });
}
