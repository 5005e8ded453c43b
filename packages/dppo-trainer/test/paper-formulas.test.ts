import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type DppoDivergence, dppo } from '../src/index.js';

const answersSchema = z.array(z.strictObject({ loss: z.number(), gradient: z.array(z.number()), masked: z.array(z.boolean()) }));
const cases: { divergence: DppoDivergence; low: number; high: number }[] = [
  { divergence: 'binary-tv', low: 0.2, high: 0.2 },
  { divergence: 'binary-tv', low: 0.2, high: 0.28 },
  { divergence: 'binary-tv', low: 0.01, high: 0.6 },
  { divergence: 'binary-kl', low: 0.05, high: 0.05 },
  { divergence: 'binary-kl', low: 0.5, high: 0.001 },
];
const tokens = drawTokens(400);
let answers: z.infer<typeof answersSchema> | undefined;

describe('DPPO agrees to 1e-6 with the paper’s formulas in NumPy', () => {
  test.each(cases.map((each, index) => [each.divergence, each.low, each.high, index] as const))(
    '%s with thresholds %d and %d, over 400 random and extreme tokens',
    (divergence, deltaLow, deltaHigh, index) => {
      answers ??= runTranscription();
      const expected = answers[index];
      if (!expected) expect.fail('the transcription gave no answer to this case');
      const { loss, gradient, metrics } = dppo({ divergence, deltaLow, deltaHigh })({ ...tokens, mask: tokens.logprobs.map(() => 1) });
      expectClose(loss, expected.loss);
      for (const [t, slope] of expected.gradient.entries()) expectClose(gradient[t] ?? Number.NaN, slope);
      const masked = expected.masked.filter(Boolean).length;
      expect(metrics.maskFraction).toBe(masked / tokens.logprobs.length);
      expect(masked).toBeGreaterThan(10);
      expect(masked).toBeLessThan(300);
    },
  );
});

function expectClose(actual: number, expected: number): void {
  expect(Math.abs(actual - expected) / Math.max(1, Math.abs(expected))).toBeLessThanOrEqual(1e-6);
}

/** Log-probabilities from certain to nearly impossible; no advantage of 0, whose masked share the paper leaves open. */
function drawTokens(count: number) {
  let state = 20260;
  const random = () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  const logprob = () => {
    const kind = random();
    if (kind < 0.5) return Math.log(random());
    if (kind < 0.7) return -30 * random();
    if (kind < 0.9) return -1e-3 * random();
    return random() < 0.5 ? 0 : -60;
  };
  const drawn = Array.from({ length: count }, () => {
    const rolloutLogprob = logprob();
    const near = random() < 0.3;
    return {
      rolloutLogprob,
      logprob: near ? Math.min(0, rolloutLogprob + 0.2 * (random() - 0.5)) : logprob(),
      advantage: (random() < 0.5 ? -1 : 1) * (1e-3 + 3 * random()),
    };
  });
  return {
    logprobs: drawn.map((token) => token.logprob),
    rolloutLogprobs: drawn.map((token) => token.rolloutLogprob),
    advantages: drawn.map((token) => token.advantage),
  };
}

function runTranscription() {
  const script = fileURLToPath(new URL('paper_formulas.py', import.meta.url));
  const { status, error, stdout, stderr } = spawnSync('python3', [script], {
    input: JSON.stringify({ ...tokens, cases }),
    encoding: 'utf8',
  });
  if (error || status !== 0) {
    throw new Error(
      `This test compares with NumPy and needs Python 3.11 or newer with it: install python3, then "python3 -m pip install numpy==2.4.6". ${error ?? stderr}`,
    );
  }
  return answersSchema.parse(JSON.parse(stdout));
}
