import { RefusedRequest } from './refused-request.js';

/** What a loss reads about one token: numbers of the request by name, and the token's log-probability under the current weights. */
export type TokenInputs = Readonly<Record<string, number>> & { readonly logprob: number };

/** Value and derivative with respect to `logprob` of one token's loss. */
export interface TokenLoss {
  readonly loss: number;
  readonly gradient: number;
}

/** A loss of the protocol; what the tokens of all data give is added up (tinker-protocol.md section 1.5). */
export interface ServerLoss {
  /** Names in `loss_fn_inputs` beside `target_tokens`. */
  readonly inputs: readonly string[];
  /** Names in `loss_fn_config` with their defaults. */
  readonly config: Readonly<Record<string, number>>;
  token(inputs: TokenInputs, config: Readonly<Record<string, number>>): TokenLoss;
}

const policyInputs = ['logprobs', 'advantages'] as const;
const ratioOf = ({ logprob, logprobs = 0 }: TokenInputs) => Math.exp(logprob - logprobs);

/** The losses by the protocol's names; all are minimised. */
export const serverLosses: Readonly<Record<string, ServerLoss>> = {
  /** -w lp */
  cross_entropy: {
    inputs: ['weights'],
    config: {},
    token: ({ logprob, weights = 0 }) => (weights === 0 ? { loss: 0, gradient: 0 } : { loss: -weights * logprob, gradient: -weights }),
  },
  /** -r A with r = exp(lp - rollout lp) */
  importance_sampling: {
    inputs: policyInputs,
    config: {},
    token(inputs) {
      const term = -ratioOf(inputs) * (inputs.advantages ?? 0);
      return { loss: term, gradient: term };
    },
  },
  /** -min(r A, clip(r) A) */
  ppo: {
    inputs: policyInputs,
    config: { clip_low_threshold: 0.8, clip_high_threshold: 1.2 },
    token(inputs, { clip_low_threshold: low = 0.8, clip_high_threshold: high = 1.2 }) {
      const [ratio, advantage] = [ratioOf(inputs), inputs.advantages ?? 0];
      const clipped = Math.min(Math.max(ratio, low), high);
      const isClipped = clipped * advantage < ratio * advantage;
      return { loss: -Math.min(ratio * advantage, clipped * advantage), gradient: isClipped ? 0 : -ratio * advantage };
    },
  },
  /** -sg(clip(r)) lp A */
  cispo: {
    inputs: policyInputs,
    config: { clip_low_threshold: 0, clip_high_threshold: 4 },
    token(inputs, { clip_low_threshold: low = 0, clip_high_threshold: high = 4 }) {
      const weight = Math.min(Math.max(ratioOf(inputs), low), high) * (inputs.advantages ?? 0);
      return { loss: -weight * inputs.logprob, gradient: -weight };
    },
  },
  /** -M r A, M = 0 where p - q > delta_high and A > 0, or q - p > delta_low and A <= 0 (Binary-TV, arXiv 2602.04879) */
  dppo: {
    inputs: policyInputs,
    config: { delta_low: 0.2, delta_high: 0.2 },
    token(inputs, { delta_low: low = 0.2, delta_high: high = 0.2 }) {
      const advantage = inputs.advantages ?? 0;
      const difference = Math.exp(inputs.logprob) - Math.exp(inputs.logprobs ?? 0);
      if (advantage > 0 ? difference > high : difference < -low) return { loss: 0, gradient: 0 };
      const term = -ratioOf(inputs) * advantage;
      return { loss: term, gradient: term };
    },
  },
};

/** The loss of a request and its whole configuration. @throws RefusedRequest 422 for an unknown name or key. */
export function chooseLoss(request: { loss_fn: string; loss_fn_config?: Readonly<Record<string, number>> | null | undefined }) {
  const loss = serverLosses[request.loss_fn];
  if (loss === undefined || !Object.hasOwn(serverLosses, request.loss_fn)) {
    throw new RefusedRequest(422, `Expected loss_fn to be one of ${Object.keys(serverLosses).join(', ')}, got ${quote(request.loss_fn)}.`);
  }
  const given = request.loss_fn_config ?? {};
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(loss.config, key));
  if (unknown !== undefined) {
    const known = Object.keys(loss.config).join(', ') || 'no key';
    throw new RefusedRequest(422, `Expected loss_fn_config of ${request.loss_fn} to have ${known}, got ${quote(unknown)}.`);
  }
  return { loss, config: { ...loss.config, ...given } };
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}
