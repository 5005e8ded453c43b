import { readFileSync } from 'node:fs';
import { TadpoleError } from '@tadpole/contracts';
import { fromAtif } from '@tadpole/leaf-harness';

/** Reads one file of a run's `trajectories/`. @throws TadpoleError `invalid-input` that names a damaged file and what to do about it. */
export function readTrajectory(path: string): ReturnType<typeof fromAtif> {
  try {
    return fromAtif(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    const message = `Expected a trajectory in ${path}, got: ${(cause as Error).message}. Restore the file, or delete it: a resumed run rolls it out again.`;
    throw new TadpoleError({ code: 'invalid-input', message, cause });
  }
}
