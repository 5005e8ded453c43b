import type { Outcome } from '@tadpole/contracts';
import type { ReportedEventOf } from '../../src/report/reported-event.js';

export const refuse = (candidateId: string, changes: Partial<ReportedEventOf<'candidate-refuse'>> = {}) =>
  ({
    type: 'candidate-refuse',
    candidateId,
    strategy: 'mutation',
    operator: 'flip',
    reason: 'not-killed',
    detail: '',
    ...changes,
  }) as const;

export const validate = (taskId: string, changes: Partial<ReportedEventOf<'candidate-validate'>> = {}) =>
  ({
    type: 'candidate-validate',
    taskId,
    strategy: 'mutation',
    operator: 'flip',
    operatorFamily: 'conditions',
    patchSize: 'tiny',
    statementRung: 'region',
    source: 'qs',
    split: 'train',
    parents: [],
    ...changes,
  }) as const;

export const calibrated = (
  taskId: string,
  [successes, trials]: readonly [number, number],
  changes: Partial<ReportedEventOf<'candidate-calibrate'>> = {},
) =>
  ({
    type: 'candidate-calibrate',
    taskId,
    verdict: 'in-band',
    successes,
    trials,
    unscored: 0,
    posteriorMean: (successes + 0.4) / (trials + 0.8),
    posteriorInterval: [0.1, 0.9] as [number, number],
    probabilityInBand: 0.7,
    strategy: 'mutation',
    source: 'qs',
    origin: 'fresh',
    ...changes,
  }) as const;

export const discard = (taskId: string, reason: ReportedEventOf<'candidate-discard'>['reason'], detail = '') =>
  ({ type: 'candidate-discard', taskId, reason, detail }) as const;

export const admit = (taskId: string, iteration?: number) => ({ type: 'task-admit', taskId, iteration }) as const;

export const solved: Outcome = { status: 'scored', reward: 1, components: {}, tests: [] };
export const failed: Outcome = { status: 'scored', reward: 0, components: {}, tests: [] };
export const unscored: Outcome = { status: 'unscored', reason: 'sandbox-failed', boundary: 'sandbox', detail: 'gone' };

export const rollout = (key: string, outcome: Outcome, changes: Partial<ReportedEventOf<'rollout-end'>> = {}) =>
  ({
    type: 'rollout-end',
    key,
    purpose: 'calibration',
    taskId: 't1',
    weightsVersion: 'w0',
    outcome,
    usage: { promptTokens: 100, completionTokens: 10 },
    ...changes,
  }) as const;
