import type { Gate } from '@tadpole/contracts';
import { executeSuite, type SuiteSettings } from './execute-suite.js';
import { Refusal } from './validation.js';

/**
 * Runs the tree that the gold patch gives, which is the snapshot byte for byte, `runs` times: every F2P test
 * must pass each time. Throws {@link Refusal}.
 *
 * @returns the tests of `passed` that passed here too, which makes them P2P.
 */
export async function runRestoredTree(
  options: SuiteSettings & { failToPass: readonly string[]; passed: readonly string[]; runs: number; baselineRuns: number },
): Promise<{ passToPass: readonly string[]; gate: Gate }> {
  const { failToPass, passed, runs, baselineRuns, ...suite } = options;
  const name = 'passes-after';
  let passToPass = passed;
  for (let run = 0; run < runs; run++) {
    const after = await executeSuite({ ...suite, edits: [], gate: name, reason: 'gold-fails' });
    const unsolved = failToPass.filter((id) => !after.passed.has(id));
    if (unsolved.length > 0) {
      throw new Refusal({ reason: 'gold-fails', detail: `not passed with the gold patch: ${unsolved.slice(0, 3).join(', ')}`, gate: name });
    }
    passToPass = passToPass.filter((id) => after.passed.has(id));
  }
  const evidence = {
    executedNow: runs,
    /** Bytes are equal, so these are executions of the same tree. */
    baselineRuns,
    snapshotHash: suite.snapshot.hash,
    failToPass: failToPass.length,
    passToPass: passToPass.length,
  };
  return { passToPass, gate: { name, passed: true, evidence } };
}
