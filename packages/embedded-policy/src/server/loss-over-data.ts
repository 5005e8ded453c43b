import type { ForwardBackwardInput, WireDatum } from '@tadpole/contracts/tinker';
import type { ModelConfig } from '../engine/model/model-config.js';
import type { TrainingSequence } from '../engine/training/batch-feeds.js';
import { RefusedRequest } from './refused-request.js';
import { chooseLoss } from './server-loss.js';

/** A checked request: sequences for the engine, and what its loss gives once their log-probabilities are known. */
export interface PreparedLoss {
  readonly sequences: readonly TrainingSequence[];
  /** Sum of the loss, and its derivative [T] by each log-probability. */
  evaluate(logprobs: readonly Float32Array[]): { readonly loss: number; readonly gradients: readonly Float32Array[] };
}

/** Checks a request before anything is computed. @throws RefusedRequest 400 or 422 that names datum, field and position. */
export function prepareLoss({ input, model }: { input: ForwardBackwardInput; model: ModelConfig }): PreparedLoss {
  const { loss, config } = chooseLoss(input);
  const sequences = input.data.map((datum, index) => sequenceOf({ datum, index, model }));
  const columns = input.data.map((datum, index) => columnsOf({ datum, index, names: loss.inputs }));
  return {
    sequences,
    evaluate(logprobs) {
      let sum = 0;
      const gradients = logprobs.map((row, index) => {
        const gradient = new Float32Array(row.length);
        const given: Record<string, number> & { logprob: number } = { logprob: 0 };
        for (let t = 0; t < row.length; t += 1) {
          given.logprob = row[t] ?? 0;
          for (const name of loss.inputs) given[name] = columns[index]?.[name]?.[t] ?? 0;
          const token = loss.token(given, config);
          sum += token.loss;
          gradient[t] = token.gradient;
        }
        return gradient;
      });
      return { loss: sum, gradients };
    },
  };
}

function sequenceOf({ datum, index, model }: { datum: WireDatum; index: number; model: ModelConfig }): TrainingSequence {
  const inputs = datum.model_input.chunks.flatMap(({ tokens }) => tokens);
  const { target_tokens: target } = datum.loss_fn_inputs;
  if (target === undefined) throw refuse(index, 'expected loss_fn_inputs to have target_tokens');
  if (inputs.length === 0 || inputs.length > model.contextTokens)
    throw refuse(index, `expected 1 to ${model.contextTokens} tokens, got ${inputs.length}`);
  if (target.data.length !== inputs.length)
    throw refuse(index, `expected target_tokens as long as model_input, ${inputs.length}, got ${target.data.length}`);
  for (const [name, ids] of [
    ['model_input', inputs],
    ['target_tokens', target.data],
  ] as const) {
    const wrong = ids.findIndex((id) => !Number.isInteger(id) || id < 0 || id >= model.vocabularySize);
    if (wrong >= 0)
      throw refuse(index, `expected token ids from 0 to ${model.vocabularySize - 1} in ${name}, got ${ids[wrong]} at position ${wrong}`);
  }
  return { inputs: Int32Array.from(inputs), targets: Int32Array.from(target.data) };
}

function columnsOf({ datum, index, names }: { datum: WireDatum; index: number; names: readonly string[] }) {
  const given = datum.loss_fn_inputs;
  const length = given.target_tokens?.data.length ?? 0;
  const unknown = Object.keys(given).find((name) => name !== 'target_tokens' && !names.includes(name));
  if (unknown !== undefined)
    throw refuse(index, `expected loss_fn_inputs of target_tokens, ${names.join(', ')}, got ${JSON.stringify(unknown.slice(0, 60))}`);
  return Object.fromEntries(
    names.map((name) => {
      const data = given[name]?.data;
      if (data === undefined) throw refuse(index, `expected loss_fn_inputs to have ${name}`);
      if (data.length !== length) throw refuse(index, `expected ${name} as long as target_tokens, ${length}, got ${data.length}`);
      const wrong = data.findIndex((value) => !Number.isFinite(value));
      if (wrong >= 0) throw refuse(index, `expected finite ${name}, got ${data[wrong]} at position ${wrong}`);
      return [name, data];
    }),
  );
}

function refuse(index: number, problem: string): RefusedRequest {
  return new RefusedRequest(400, `Datum ${index}: ${problem}.`);
}
