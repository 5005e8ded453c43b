import { isTadpoleError, type SandboxLimits, type Snapshot, type TestExecutor } from '@tadpole/contracts';
import {
  behaviourPreservingRewrites,
  candidateIdOf,
  createMutationGenerator,
  seededRandom,
  siblingMutants,
  type ValidationSettings,
  validateCandidate,
} from '@tadpole/taskpilot';

/** What became of one candidate. */
export interface CandidateRecord {
  readonly repository: string;
  readonly operator: string;
  readonly place: string;
  /** `valid`, or why not. */
  readonly outcome: string;
  readonly detail: string;
  /** Of tests; with none, the candidate was refused before anything ran. */
  readonly executions: number;
  readonly cpuSeconds: number;
}

/** Proposals that are looked through for operators of which too few candidates were found. */
const mostProposals = 3_000;

/**
 * Validates a sample of the procedural generator's candidates, so many of each operator where it has so many, by the gates and
 * controls of `tadpole synth`. Candidates that are refused before anything runs are told and do not count for the sample.
 */
export async function* validateSample(options: {
  snapshot: Snapshot;
  executor: TestExecutor;
  limits: SandboxLimits;
  testFilesFor: NonNullable<ValidationSettings['testFilesFor']>;
  perOperator: number;
  seed: number;
  /** Complete runs of the untouched suite behind the baseline. */
  baselineRuns: number;
  timeoutMs: number;
  controls: NonNullable<ValidationSettings['controls']>;
  cpuSeconds: () => number;
}): AsyncGenerator<CandidateRecord> {
  const { snapshot, seed, perOperator, cpuSeconds } = options;
  let executions = 0;
  const settings: ValidationSettings = {
    executor: {
      execute(run) {
        executions += 1;
        return options.executor.execute(run);
      },
    },
    ...{ limits: options.limits, timeoutMs: options.timeoutMs, testFilesFor: options.testFilesFor, rung: 'file' },
    ...{ baselineRuns: options.baselineRuns, goldRuns: 0 },
    controls: options.controls,
  };
  const taken = new Map<string, number>();
  let proposals = 0;
  for await (const candidate of createMutationGenerator().propose({ snapshot, random: seededRandom(`${seed} propose ${snapshot.hash}`) })) {
    proposals += 1;
    if (proposals > mostProposals) return;
    const { operator, file, line } = candidate.lineage;
    if ((taken.get(operator) ?? 0) >= perOperator) continue;
    const random = seededRandom(`${seed} statement ${candidateIdOf({ snapshot, candidate })}`);
    const before = { executions, cpuSeconds: cpuSeconds() };
    const { outcome, detail } = await validateCandidate({ ...settings, snapshot, candidate, random }).then(
      (result) =>
        result.status === 'valid'
          ? { outcome: 'valid', detail: `${result.draft.data.verifier.failToPass.length} fail-to-pass` }
          : { outcome: result.reason, detail: result.detail },
      (error: unknown) => {
        if (!isTadpoleError(error) || error.code !== 'sandbox') throw error;
        return { outcome: 'sandbox-failed', detail: error.message };
      },
    );
    if (executions > before.executions) taken.set(operator, (taken.get(operator) ?? 0) + 1);
    yield {
      ...{ repository: snapshot.source, operator, place: `${file}:${line}`, outcome, detail: detail.slice(0, 300) },
      ...{ executions: executions - before.executions, cpuSeconds: cpuSeconds() - before.cpuSeconds },
    };
  }
}

/** The controls of `tadpole synth`. */
export function defaultControls(): NonNullable<ValidationSettings['controls']> {
  return { wrongFixes: siblingMutants({ marginLines: 3 }), otherFixes: behaviourPreservingRewrites() };
}
