/** Weights of a bigram model: logits [V][V], row = current token, column = next token, flattened. */
export interface BigramModel {
  readonly vocabularySize: number;
  readonly logits: Float64Array;
}

/** log p(next | current) for every next token [V], in nats. */
export function nextLogprobs(model: BigramModel, current: number): Float64Array {
  const row = model.logits.slice(current * model.vocabularySize, (current + 1) * model.vocabularySize);
  const largest = Math.max(...row);
  const logTotal = largest + Math.log(row.reduce((sum, logit) => sum + Math.exp(logit - largest), 0));
  return row.map((logit) => logit - logTotal);
}

/** A stream of numbers, uniform in [0, 1), from two seeds (splitmix32). */
export function createStream(seed: number, stream: number): () => number {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) + Math.imul(stream + 1, 0xc2b2ae35)) | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 4294967296;
  };
}
