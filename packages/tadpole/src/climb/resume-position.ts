import type { TadpoleEvent } from '@tadpole/contracts';

/** Where a journal ends, as far as the weights are concerned. */
export interface ResumePosition {
  /** First iteration (0-based) that has not ended. */
  readonly iteration: number;
  /** Updates of that iteration which are done. */
  readonly updates: number;
  /** Folder below `checkpoints/` with the weights after the last update; undefined before the first. */
  readonly checkpoint: string | undefined;
  /** Weights version at the start of each iteration that began. */
  readonly startVersions: ReadonlyMap<number, string>;
  /** Labels of the evaluations that ended. */
  readonly evaluated: ReadonlySet<string>;
}

/** Name of the folder with the training state after an update (both 0-based). */
export function checkpointName(options: { iteration: number; update: number }): string {
  return `iteration-${options.iteration}-update-${options.update}`;
}

/** Reads the position from a journal. Pure. */
export function resumePosition(events: readonly TadpoleEvent[]): ResumePosition {
  let iteration = 0;
  let updates = 0;
  let checkpoint: string | undefined;
  const startVersions = new Map<number, string>();
  const evaluated = new Set<string>();
  for (const event of events) {
    if (event.type === 'iteration-start') startVersions.set(event.iteration, event.weightsVersion);
    if (event.type === 'evaluation-end') evaluated.add(event.label);
    if (event.type === 'update-end') {
      updates = event.update + 1;
      checkpoint = checkpointName(event);
    }
    if (event.type === 'iteration-end') {
      iteration = event.iteration + 1;
      updates = 0;
    }
  }
  return { iteration, updates, checkpoint, startVersions, evaluated };
}
