import { type Band, type Bank, calibrateIteration, emptyBank, type IterationOptions } from '@tadpole/taskpilot';
import { createSyntheticPolicy } from './synthetic-policy.js';

/** What a way to calibrate costs and gives over all iterations of a run. */
export interface RunQuality {
  readonly rolloutsPerAccepted: number;
  readonly candidatesPerAccepted: number;
  readonly precision: number;
  readonly recall: number;
  /** Mean 4p(1-p) of the accepted tasks' true rates. */
  readonly signal: number;
  readonly accepted: number;
  /** Mean probability with which the accepted tasks were said to be in the band. */
  readonly predicted: number;
}

/** A way to calibrate: its options, made once a run, and whether the bank goes from one iteration to the next. */
export interface Way {
  readonly label: string;
  readonly keepsBank: boolean;
  readonly options: (seed: string) => Partial<Pick<IterationOptions, 'ruleFor' | 'priors' | 'chooser' | 'quotas' | 'wave'>>;
}

/** Runs the iterations of one seed against a synthetic policy, through the package's entry alone. */
export async function runWay(options: { way: Way; seed: number; iterations: number; count: number; band: Band }): Promise<RunQuality> {
  const { way, seed, iterations, count, band } = options;
  const policy = createSyntheticPolicy({ seed, stream: way.label });
  const settings = way.options(`${seed} ${way.label}`);
  const isInBand = (taskId: string) => policy.rateOf(taskId) >= band[0] && policy.rateOf(taskId) <= band[1];
  let bank: Bank = emptyBank();
  let predicted = 0;
  let [accepted, right, inBand, rollouts, candidates, signal] = [0, 0, 0, 0, 0, 0];
  for (let checkpoint = 0; checkpoint < iterations; checkpoint++) {
    if (checkpoint > 0) policy.advance();
    const { source, rollOut } = policy;
    const process = calibrateIteration({ ...settings, source, rollOut, count, checkpoint, bank, band, seed: `${seed} ${checkpoint}` });
    let step = await process.next();
    for (; !step.done; step = await process.next()) {
      if (step.value.type === 'candidate-calibrate' && isInBand(step.value.taskId)) inBand++;
    }
    for (const { candidate, calibration } of step.value.admitted) {
      const rate = policy.rateOf(candidate.id);
      accepted++;
      predicted += calibration.probabilityInBand;
      if (isInBand(candidate.id)) right++;
      signal += 4 * rate * (1 - rate);
    }
    rollouts += step.value.rollouts;
    candidates += step.value.candidates;
    if (way.keepsBank) bank = step.value.bank;
  }
  return {
    rolloutsPerAccepted: rollouts / accepted,
    candidatesPerAccepted: candidates / accepted,
    precision: right / accepted,
    recall: right / inBand,
    signal: signal / accepted,
    predicted: predicted / accepted,
    accepted,
  };
}
