import { TadpoleError } from '@tadpole/contracts';

/**
 * Sizes of the policy's transformer. Meant for 0.3 to 10 million parameters, which the tests train; larger ones are not
 * refused, but memory and time grow with them.
 */
export interface ModelConfig {
  /** Number of token ids. */
  readonly vocabularySize: number;
  /** Width d of the residual stream. */
  readonly width: number;
  readonly layers: number;
  /** Attention heads; `width / heads` must be an even number. */
  readonly heads: number;
  /** Inner width of the gated feed-forward block. */
  readonly feedForward: number;
  /** Longest sequence, in tokens; a multiple of 64. */
  readonly contextTokens: number;
}

/** The size we ship: 0.93 M parameters. */
export const SMALL_MODEL: ModelConfig = { vocabularySize: 1024, width: 128, layers: 4, heads: 4, feedForward: 352, contextTokens: 512 };

/** Checks the sizes. Throws `invalid-config` with the first wrong one. */
export function assertModelConfig(config: ModelConfig): void {
  const refuse = (message: string) => new TadpoleError({ code: 'invalid-config', message: `model config: ${message}` });
  for (const [name, value] of Object.entries(config)) {
    if (!Number.isInteger(value) || value < 1) throw refuse(`expected a positive integer for ${name}, got ${value}`);
  }
  if (config.width % (2 * config.heads) !== 0) {
    throw refuse(`expected width to be a multiple of 2 · heads, got width ${config.width} and heads ${config.heads}`);
  }
  if (config.contextTokens % 64 !== 0) throw refuse(`expected contextTokens to be a multiple of 64, got ${config.contextTokens}`);
}
