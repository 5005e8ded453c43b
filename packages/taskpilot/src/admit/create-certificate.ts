import { type Certificate, certificateSchema, TadpoleError } from '@tadpole/contracts';
import type { Calibration } from '../calibrate/calibration.js';
import type { DecisionRule } from '../calibrate/decision-rule.js';
import type { Band } from '../calibrate/grid-prior.js';
import type { TaskDraft } from '../validate/task-draft.js';

/**
 * Why a task is admitted: its gates with their evidence and, once measured, its solve rate. Holds nothing that
 * depends on the time or the machine.
 *
 * @throws TadpoleError `invalid-input` when a gate failed or the calibration is of another task.
 */
export function createCertificate(options: {
  draft: Pick<TaskDraft, 'data' | 'gates' | 'hiddenTestsHash'>;
  /** Absent for a task that is not admitted by its difficulty, such as a held-out one. */
  measured?: { calibration: Calibration; weightsVersion: string; rule: Pick<DecisionRule, 'name'>; band: Band };
}): Certificate {
  const { draft, measured } = options;
  const failed = draft.gates.find((gate) => !gate.passed);
  if (failed !== undefined || draft.gates.length === 0) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `Expected passed gates of ${draft.data.id}, got ${failed?.name ?? 'none'}; only a valid draft gets a certificate.`,
    });
  }
  if (measured !== undefined && measured.calibration.taskId !== draft.data.id) {
    throw new TadpoleError({
      code: 'invalid-input',
      message: `Expected a calibration of ${draft.data.id}, got one of ${measured.calibration.taskId}.`,
    });
  }
  return certificateSchema.parse({
    taskId: draft.data.id,
    gates: draft.gates,
    hiddenTestsHash: draft.hiddenTestsHash,
    ...(measured === undefined ? {} : { calibration: calibrationRecord(measured) }),
  });
}

function calibrationRecord(measured: { calibration: Calibration; weightsVersion: string; rule: Pick<DecisionRule, 'name'>; band: Band }) {
  const { taskId: _, verdict: __, ...numbers } = measured.calibration;
  return { ...numbers, weightsVersion: measured.weightsVersion, band: measured.band, rule: measured.rule.name };
}
