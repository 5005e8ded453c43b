import { type Candidate, type Snapshot, TadpoleError, type TestExecutor } from '@tadpole/contracts';
import pLimit from 'p-limit';
import { seededRandom } from '../seeded-random.js';
import type { TemplateRung } from '../statement/write-statement.js';
import { candidateIdOf } from '../validate/candidate-trees.js';
import type { ValidationSettings } from '../validate/validate-candidate.js';
import { attemptCandidate, type Verdict } from './attempt-candidate.js';

/** Validates candidates of all strategies, so many at a time, and counts what it takes. */
export interface SynthesisValidation {
  readonly concurrency: number;
  /** Executions of tests so far. */
  executions(): number;
  /** Validates one; a failed sandbox boundary is a verdict. */
  attempt(options: { snapshot: Snapshot; candidate: Candidate; rung?: TemplateRung; signal: AbortSignal }): Promise<Verdict>;
}

/** The statement's place is drawn for each candidate by itself, so that it does not depend on the order. */
export function createSynthesisValidation(options: {
  settings: ValidationSettings;
  seed: number | string;
  concurrency: number;
}): SynthesisValidation {
  const { settings, seed, concurrency } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    const message = `synthesize: expected a whole concurrency of at least 1, got ${concurrency}.`;
    throw new TadpoleError({ code: 'invalid-config', message });
  }
  const limit = pLimit(concurrency);
  let executions = 0;
  const executor: TestExecutor = {
    execute(run) {
      executions++;
      return settings.executor.execute(run);
    },
  };
  return {
    concurrency,
    executions: () => executions,
    attempt: ({ snapshot, candidate, rung = settings.rung ?? 'line', signal }) =>
      limit(() => {
        const random = seededRandom(`${seed} statement ${candidateIdOf({ snapshot, candidate })}`);
        return attemptCandidate({ ...settings, executor, snapshot, candidate, rung, examples: 'always', random, signal });
      }),
  };
}
