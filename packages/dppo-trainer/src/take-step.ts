import type { DatumForward, EngineLoss, Loss, OptimizerSettings, TrainingClient } from '@tadpole/contracts';
import type { TrainingSequence } from './build-sequences.js';
import { evaluateLoss, hasFiniteLogprobs, type MinibatchLoss, weighAdvantages } from './evaluate-loss.js';
import { submitAll } from './submit-all.js';
import type { StepReport, UpdateAlarm } from './update-report.js';

/** Beyond which a step raises an alarm. */
export interface AlarmLevels {
  readonly ratioAlarm: number;
  readonly maskAlarm: number;
  readonly entropyAlarm: number;
}

/** One minibatch, dealt into packs, and how to train on it. */
export interface Minibatch {
  readonly client: TrainingClient;
  readonly loss: Loss;
  /** The engine's own form of the loss; absent where the loss is computed here. */
  readonly engineLoss: EngineLoss | undefined;
  readonly optimizer: OptimizerSettings;
  readonly packs: readonly (readonly TrainingSequence[])[];
  readonly position: { readonly step: number; readonly epoch: number; readonly minibatch: number };
  readonly levels: AlarmLevels;
  readonly signal: AbortSignal | undefined;
}

type Alarm = Pick<UpdateAlarm, 'kind' | 'detail'>;
type Evaluated = { alarm: Alarm } | { evaluated: MinibatchLoss };
type Stepped = { alarm: Alarm } | { evaluated: MinibatchLoss; gradientNorm: number | undefined };

/** Trains on one minibatch: the gradients of its packs add up, then one optimizer step. No report where an alarm came before the step. */
export async function takeStep(minibatch: Minibatch): Promise<{ report?: StepReport; alarms: UpdateAlarm[] }> {
  const { position, packs, engineLoss, levels } = minibatch;
  const stepped = engineLoss ? await stepByEngine(minibatch, engineLoss) : await stepByGradient(minibatch);
  const { epoch, minibatch: index } = position;
  const at = (alarm: Alarm): UpdateAlarm => ({ ...alarm, epoch, minibatch: index });
  if ('alarm' in stepped) return { alarms: [at(stepped.alarm)] };
  const { evaluated, gradientNorm } = stepped;
  const sequences = packs.flat();
  const report: StepReport = {
    ...position,
    sequences: sequences.length,
    packs: packs.length,
    trainedTokens: sequences.reduce((sum, { trainedTokens }) => sum + trainedTokens, 0),
    lossIn: engineLoss ? 'engine' : 'client',
    metrics: {
      ...evaluated.metrics,
      loss: evaluated.loss,
      ...(evaluated.entropy === undefined ? {} : { entropy: evaluated.entropy }),
      ...(gradientNorm === undefined ? {} : { gradientNorm }),
    },
  };
  return { report, alarms: alarmsOf(report.metrics, levels).map(at) };
}

/** A fresh forward, the loss here over all packs, then all backward passes and the step without waiting in between. */
async function stepByGradient({ client, loss, optimizer, packs, signal }: Minibatch): Promise<Stepped> {
  const forwards = await submitAll(packs.map((pack) => () => client.forward({ data: dataOf(pack), signal })));
  const outcome = evaluate({ loss, packs, forwards });
  if ('alarm' in outcome) return outcome;
  const gradients = deal(outcome.evaluated.gradients, packs);
  const backward = packs.map((pack, index) => async () => {
    const logprobs = forwards[index]?.map((forward) => forward.logprobs);
    await client.forwardBackward({ data: dataOf(pack), gradients: gradients[index] ?? [], ...(logprobs && { logprobs }), signal });
    return undefined;
  });
  const answers = await submitAll<{ gradientNorm?: number } | undefined>([...backward, () => client.optimStep({ ...optimizer, signal })]);
  return { evaluated: outcome.evaluated, gradientNorm: answers.at(-1)?.gradientNorm };
}

/** The engine's loss on weighted advantages, and the step behind it; what the loss was is told from the log-probabilities that come back. */
async function stepByEngine(minibatch: Minibatch, engineLoss: EngineLoss): Promise<Stepped> {
  const { client, loss, optimizer, packs, signal } = minibatch;
  const advantages = deal(weighAdvantages({ loss, sequences: packs.flat() }), packs);
  const forwards: (readonly DatumForward[])[] = [];
  const backward = packs.map((pack, index) => async () => {
    const inputs = pack.map(({ rolloutLogprobs }, i) => ({ rolloutLogprobs, advantages: advantages[index]?.[i] ?? new Float64Array() }));
    forwards[index] = (await client.forwardBackwardLoss?.({ data: dataOf(pack), loss: engineLoss, inputs, signal })) ?? [];
    return undefined;
  });
  const answers = await submitAll<{ gradientNorm?: number } | undefined>([...backward, () => client.optimStep({ ...optimizer, signal })]);
  const outcome = evaluate({ loss, packs, forwards });
  return 'alarm' in outcome ? outcome : { evaluated: outcome.evaluated, gradientNorm: answers.at(-1)?.gradientNorm };
}

function evaluate(options: { loss: Loss; packs: Minibatch['packs']; forwards: readonly (readonly DatumForward[])[] }): Evaluated {
  const { loss, packs } = options;
  const [sequences, forwards] = [packs.flat(), options.forwards.flat()];
  if (!hasFiniteLogprobs(sequences, forwards)) {
    return { alarm: { kind: 'non-finite-logprobs', detail: 'A trained token has no finite log-probability under the current weights.' } };
  }
  const evaluated = evaluateLoss({ loss, sequences, forwards });
  if (!Number.isFinite(evaluated.loss)) return { alarm: { kind: 'non-finite-loss', detail: `The loss is ${evaluated.loss}.` } };
  const finite = evaluated.gradients.every((gradient) => gradient.every((value) => Number.isFinite(Math.fround(value))));
  if (!finite) return { alarm: { kind: 'non-finite-gradient', detail: 'The gradient has an entry that single precision cannot hold.' } };
  return { evaluated };
}

function alarmsOf(metrics: StepReport['metrics'], levels: AlarmLevels): Alarm[] {
  const { gradientNorm = 0, ratioMax = 0, maskFraction = 0, entropy = Number.POSITIVE_INFINITY } = metrics;
  const { ratioAlarm, maskAlarm, entropyAlarm } = levels;
  const alarms: Alarm[] = [];
  if (!Number.isFinite(gradientNorm)) alarms.push({ kind: 'non-finite-gradient-norm', detail: `The gradient norm is ${gradientNorm}.` });
  if (ratioMax > ratioAlarm) alarms.push({ kind: 'ratio-explosion', detail: `An importance ratio is ${ratioMax}, above ${ratioAlarm}.` });
  if (maskFraction > maskAlarm) {
    alarms.push({ kind: 'mask-flood', detail: `The loss masked ${maskFraction} of the trained tokens, above ${maskAlarm}.` });
  }
  if (entropy < entropyAlarm)
    alarms.push({ kind: 'entropy-collapse', detail: `The mean entropy is ${entropy} nats, below ${entropyAlarm}.` });
  return alarms;
}

function dataOf(pack: readonly TrainingSequence[]) {
  return pack.map(({ datum }) => datum);
}

/** Cuts one list for all sequences into one for each pack. */
function deal<Item>(items: readonly Item[], packs: Minibatch['packs']): Item[][] {
  let start = 0;
  return packs.map((pack) => {
    start += pack.length;
    return items.slice(start - pack.length, start);
  });
}
