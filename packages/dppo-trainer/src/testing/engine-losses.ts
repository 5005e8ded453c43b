import { type EngineLoss, TadpoleError } from '@tadpole/contracts';

type Token = { readonly logprob: number; readonly rolloutLogprob: number; readonly advantage: number };

/** Names of the losses that {@link engineLossSlope} knows. */
export const ENGINE_LOSSES = ['importance_sampling', 'ppo', 'cispo', 'dppo'] as const;

/**
 * d loss / d logprob of one token under a loss of the Tinker protocol (section 1.5 of its notes), written apart from the trainer's
 * losses so that the two can be held against each other.
 *
 * @throws TadpoleError `unsupported` for another loss; `invalid-input` for a number that the loss needs and its config lacks.
 */
export function engineLossSlope({ name, config }: EngineLoss, token: Token): number {
  const { logprob, rolloutLogprob, advantage } = token;
  const setting = (key: string) => {
    const value = config[key];
    if (value === undefined) throw new TadpoleError({ code: 'invalid-input', message: `Expected ${key} in the config of loss ${name}.` });
    return value;
  };
  const ratio = Math.exp(logprob - rolloutLogprob);
  switch (name) {
    case 'importance_sampling':
      return -ratio * advantage;
    case 'ppo': {
      const clipped = Math.min(Math.max(ratio, setting('clip_low_threshold')), setting('clip_high_threshold'));
      return ratio * advantage <= clipped * advantage ? -ratio * advantage : 0;
    }
    case 'cispo':
      return -Math.min(Math.max(ratio, setting('clip_low_threshold')), setting('clip_high_threshold')) * advantage;
    case 'dppo': {
      const rise = Math.exp(logprob) - Math.exp(rolloutLogprob);
      const isOutside = (advantage > 0 && rise > setting('delta_high')) || (advantage < 0 && -rise > setting('delta_low'));
      return isOutside ? 0 : -ratio * advantage;
    }
    default:
      throw new TadpoleError({ code: 'unsupported', message: `Expected one of the losses ${ENGINE_LOSSES.join(', ')}, got ${name}.` });
  }
}
