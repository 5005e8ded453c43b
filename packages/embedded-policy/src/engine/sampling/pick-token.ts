import type { Random } from '../random.js';

/** How the next token is chosen. */
export interface TokenChoice {
  /** 0 takes the likeliest token. @default 1 */
  readonly temperature?: number;
  /** Only the `topK` likeliest tokens. @default all */
  readonly topK?: number;
  /** Only the likeliest tokens whose probabilities sum to at least `topP`. @default 1 */
  readonly topP?: number;
}

/** A chosen token and its log-probability under the distribution that it was drawn from. */
export interface PickedToken {
  readonly id: number;
  readonly samplingLogprob: number;
}

/** Draws from `probabilities` [V] (already at the wanted temperature). Uses one uniform number, none at temperature 0. */
export function pickToken(probabilities: Float32Array, choice: TokenChoice, random: Random): PickedToken {
  if (choice.temperature === 0) return { id: likeliest(probabilities), samplingLogprob: 0 };
  if (choice.topK !== undefined || (choice.topP ?? 1) < 1) return pickAmongLikeliest(probabilities, choice, random);
  const threshold = random();
  let sum = 0;
  let last = 0;
  for (let id = 0; id < probabilities.length; id++) {
    const probability = probabilities[id]!;
    if (probability === 0) continue;
    sum += probability;
    last = id;
    if (sum > threshold) break;
  }
  return { id: last, samplingLogprob: Math.log(probabilities[last]!) };
}

function likeliest(probabilities: Float32Array): number {
  let best = 0;
  for (let id = 1; id < probabilities.length; id++) if (probabilities[id]! > probabilities[best]!) best = id;
  return best;
}

function pickAmongLikeliest(probabilities: Float32Array, { topK = Infinity, topP = 1 }: TokenChoice, random: Random): PickedToken {
  const order = Array.from(probabilities.keys()).sort((a, b) => probabilities[b]! - probabilities[a]! || a - b);
  let kept = 0;
  let total = 0;
  while (kept < order.length && kept < topK && (kept === 0 || total < topP)) total += probabilities[order[kept++]!]!;
  const threshold = random() * total;
  let sum = 0;
  let place = 0;
  for (; place < kept - 1; place++) {
    sum += probabilities[order[place]!]!;
    if (sum > threshold) break;
  }
  const id = order[place]!;
  return { id, samplingLogprob: Math.log(probabilities[id]! / total) };
}
