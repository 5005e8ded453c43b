import { createCertificate } from '../admit/create-certificate.js';
import type { CandidateVerdict } from '../calibrate/calibrate-iteration.js';
import type { Band } from '../calibrate/grid-prior.js';
import type { CalibrationCandidate } from '../calibrate/measurement.js';
import type { IntakeGate } from './intake-gate.js';
import { discardOf, type OfferedTask } from './offered-task.js';
import type { SynthesisEvent } from './synthesis-event.js';
import type { AdmittedTask } from './synthesize.js';

/** Keeps what became of every offered task. */
export interface Admissions {
  /** Asked of a task in the band: what was admitted since it was offered may speak against it. */
  mayAdmit(candidate: CalibrationCandidate): boolean;
  /** Takes a verdict; gives an admitted task its certificate. */
  conclude(verdict: { readonly type: 'candidate-calibrate' } & CandidateVerdict): Generator<SynthesisEvent>;
  /** Sets a task aside whose repository has its share. */
  park(taskId: string): void;
  /** The fate of every task of this iteration that was not admitted. */
  discard(): Generator<SynthesisEvent>;
  admitted(): readonly AdmittedTask[];
}

/** A register of the tasks in `offered`. */
export function createAdmissions(options: {
  offered: ReadonlyMap<string, OfferedTask>;
  /** Of an earlier checkpoint: no fate of this iteration unless they were measured in it. */
  recalled: ReadonlySet<string>;
  gate: IntakeGate;
  weightsVersion: string;
  band: Band;
}): Admissions {
  const { offered, recalled, gate, weightsVersion, band } = options;
  const admitted = new Map<string, AdmittedTask>();
  return {
    admitted: () => [...admitted.values()],
    mayAdmit({ id }) {
      const task = offered.get(id) as OfferedTask;
      const objection = gate.objection(task);
      if (objection !== null) task.objection = objection;
      return objection === null;
    },
    *conclude({ type, ...calibration }) {
      const { rule, repository, ...verdict } = calibration;
      const task = offered.get(verdict.taskId) as OfferedTask;
      task.verdict = calibration;
      yield { type, ...verdict, source: repository };
      if (!verdict.admitted) return;
      const { draft } = task;
      const certificate = createCertificate({
        draft,
        measured: { calibration: measured(calibration), weightsVersion, rule: { name: rule }, band },
      });
      admitted.set(verdict.taskId, { draft, calibration, certificate });
      gate.admit(task);
      yield { type: 'task-admit', taskId: verdict.taskId, certificate, draft };
    },
    park(taskId) {
      (offered.get(taskId) as OfferedTask).objection = { reason: 'quota', detail: 'its repository has its share' };
    },
    *discard() {
      for (const [taskId, task] of offered) {
        if (admitted.has(taskId) || (recalled.has(taskId) && task.verdict === undefined)) continue;
        const { strategy, repository: source } = task.calibration;
        yield { type: 'candidate-discard', taskId, strategy, source, ...discardOf(task) };
      }
    },
  };
}

/** The numbers of a verdict that a certificate holds. */
function measured({ taskId, verdict, successes, trials, unscored, posteriorMean, posteriorInterval, probabilityInBand }: CandidateVerdict) {
  return { taskId, verdict, successes, trials, unscored, posteriorMean, posteriorInterval, probabilityInBand };
}
