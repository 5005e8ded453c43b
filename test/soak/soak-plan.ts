import { rolloutSeed, turnSeed } from '@tadpole/leaf-harness';

/** What one rollout of the soak is to do and to get. */
export interface PlannedConduct {
  readonly sample: number;
  readonly turn: number;
  /** Two of three solve their task. */
  readonly solves: boolean;
}

/** Turns of a rollout: an edit, a command, the answer. */
const turnsPerRollout = 3;

/** Seed of sample `sample`, as the harness draws it. */
export function soakSeed(of: { taskId: string; sample: number; purpose: 'evaluation' }): number {
  return rolloutSeed({ runSeed: 11, ...of });
}

/** Whether a sample's policy repairs the task, and so the reward that it must get. */
export function solves(sample: number): boolean {
  return sample % 3 !== 0;
}

/** What the endpoint has to answer, by the seed of the request, which belongs to one turn of one sample alone. */
export function conductBySeed(options: { taskId: string; samples: number }): ReadonlyMap<number, PlannedConduct> {
  const conducts = new Map<number, PlannedConduct>();
  for (let sample = 0; sample < options.samples; sample += 1) {
    const seed = soakSeed({ taskId: options.taskId, sample, purpose: 'evaluation' });
    for (let turn = 0; turn < turnsPerRollout; turn += 1) conducts.set(turnSeed({ seed, turn }), { sample, turn, solves: solves(sample) });
  }
  return conducts;
}
