import type { ModelConfig } from '@tadpole/embedded-policy';

/** The sizes that are measured: S has 0.87 M parameters, M has 4.2 M. */
export const modelSizes: Readonly<Record<'S' | 'M', ModelConfig>> = {
  S: { vocabularySize: 512, width: 128, layers: 4, heads: 4, feedForward: 352, contextTokens: 512 },
  M: { vocabularySize: 1024, width: 256, layers: 5, heads: 8, feedForward: 688, contextTokens: 512 },
};

/**
 * Floating-point operations that a training token needs, a multiplication and an addition as two: 6 for each weight of a
 * matrix (2 forward, 4 backward; the tied embedding once, since looking tokens up costs none), and 6 · layers · width · T
 * for causal attention over T tokens, in which a query meets T / 2 keys. Work done again or masked away is not counted.
 */
export function trainingFlops({ vocabularySize, width, layers, feedForward }: ModelConfig, tokens: number): number {
  const matrices = vocabularySize * width + layers * (4 * width * width + 3 * width * feedForward);
  return 6 * matrices + 6 * layers * width * tokens;
}
