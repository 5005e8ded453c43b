import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TadpoleError } from '@tadpole/contracts';
import { emptySynthesisState, parseSynthesisState, type SynthesisState } from '@tadpole/taskpilot';
import type { RunStore } from '../run/run-store.js';

const folder = 'synthesis';

/** Keeps what an iteration's synthesis returned, for the next one's. @throws TadpoleError `storage`. */
export function writeSynthesisState(options: { store: RunStore; iteration: number; state: SynthesisState }): void {
  const { store, iteration, state } = options;
  store.folder(folder);
  store.writeFile(join(folder, fileName(iteration)), `${JSON.stringify(state)}\n`);
}

/**
 * The state that an iteration's synthesis begins with: what the one before left on the disk, in a resumed run as in one that was not
 * stopped.
 *
 * @throws TadpoleError `invalid-input` when that file is missing or damaged.
 */
export function readSynthesisState(options: { store: RunStore; iteration: number }): SynthesisState {
  const { store, iteration } = options;
  if (iteration === 0) return emptySynthesisState();
  const path = join(store.directory, folder, fileName(iteration - 1));
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `Expected what iteration ${iteration} left in ${path}, got: ${(cause as Error).message}. Restore the file, or begin a new run.`,
      cause,
    });
  }
  return parseSynthesisState(value);
}

function fileName(iteration: number): string {
  return `iteration-${iteration}.json`;
}
