import { expect, test } from 'vitest';
import { describeDuplicate, type IterationReport, iterationReport, iterationReportSchema, type ReportedEvent } from '../../src/index.js';
import { admit, calibrated, discard, failed, refuse, rollout, solved, unscored, validate } from '../support/report-events.js';

const repeated = describeDuplicate({ kind: 'duplicate', key: 'patch', of: { id: 't0', role: 'held-out', run: 'mine' } });
const end = { type: 'synthesis-end', ended: 'count', rollouts: 30, unscored: 2, costUsd: 1.5, executions: 40 } as const;

/** Nine candidates of two operators, one of them made by a move, and a task of the bank. */
const events: readonly ReportedEvent[] = [
  refuse('c1'),
  refuse('c2', { reason: 'duplicate', detail: 'its line has a task' }),
  refuse('c3', { operator: 'swap', reason: 'timed-out' }),
  validate('t1'),
  validate('t2'),
  validate('t3', { operator: 'swap' }),
  validate('t4', { operator: 'swap' }),
  validate('h1', { operator: 'swap', split: 'held-out' }),
  { type: 'checkpoint-shift', shift: 0.8, standardError: 0.25, anchors: 24 },
  { type: 'calibration-round', round: 0 },
  { type: 'calibration-round', round: 1 },
  calibrated('t1', [4, 8]),
  calibrated('t2', [4, 4], { verdict: 'too-easy' }),
  calibrated('t3', [0, 0], { verdict: 'too-hard' }),
  discard('t2', 'refined'),
  discard('t3', 'hopeless'),
  discard('t4', 'duplicate', repeated),
  validate('r1', { strategy: 'say-less', statementRung: 'symptom', parents: ['t2'] }),
  calibrated('r1', [3, 6], { strategy: 'say-less', unscored: 1 }),
  calibrated('b1', [2, 4], { origin: 'bank' }),
  admit('t1'),
  admit('r1'),
  admit('b1'),
  end,
];

function reportOf(extra: Partial<Parameters<typeof iterationReport>[0]> = {}): IterationReport {
  return iterationReport({ events, ...extra });
}

test('is plain data of its schema, also through JSON', () => {
  const report = reportOf();
  expect(iterationReportSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
});

test('counts every candidate at each stage by operator, by strategy and together', () => {
  const { total, byOperator, byStrategy, carried } = reportOf().funnel;
  expect(total).toMatchObject({ proposed: 9, refused: 3, valid: 6, heldOut: 1, measured: 3, inBand: 2, admitted: 2 });
  expect(byOperator).toMatchObject([
    { name: 'flip', proposed: 5, refused: 2, valid: 3, heldOut: 0, measured: 3, inBand: 2, admitted: 2 },
    { name: 'swap', proposed: 4, refused: 1, valid: 3, heldOut: 1, measured: 0, inBand: 0, admitted: 0 },
  ]);
  expect(byStrategy).toMatchObject([
    { name: 'mutation', proposed: 8, refused: 3, valid: 5, heldOut: 1, measured: 2, inBand: 1, admitted: 1 },
    { name: 'say-less', proposed: 1, refused: 0, valid: 1, heldOut: 0, measured: 1, inBand: 1, admitted: 1 },
  ]);
  expect(byOperator[0]?.refusals).toEqual([
    { reason: 'duplicate', count: 1 },
    { reason: 'not-killed', count: 1 },
  ]);
  expect(carried).toEqual({ measured: 1, inBand: 1, admitted: 1 });
});

test('gives shares their Wilson intervals and says nothing where nothing was tried', () => {
  const { total, byOperator } = reportOf().funnel;
  // (2/3 + z^2/18 -+ z sqrt(2/81 + z^2/324)) / (1 + z^2/9), z = 1.959964
  expect(total.shares.valid).toEqual({
    successes: 6,
    trials: 9,
    rate: 6 / 9,
    interval: [expect.closeTo(0.354202, 5), expect.closeTo(0.879416, 5)],
  });
  expect(total.shares.inBand).toMatchObject({ successes: 2, trials: 3 });
  expect(total.shares.admitted).toMatchObject({ successes: 2, trials: 5 });
  expect(byOperator[1]?.shares.inBand).toBeNull();
});

test('lists the posterior of every task with a scored rollout, the hardest first', () => {
  const { rates } = reportOf();
  expect(rates.map(({ taskId, mean }) => [taskId, Number(mean.toFixed(4))])).toEqual([
    ['b1', 0.5],
    ['r1', 0.5],
    ['t1', 0.5],
    ['t2', 0.9167],
  ]);
  expect(rates[1]).toEqual({
    taskId: 'r1',
    strategy: 'say-less',
    source: 'qs',
    origin: 'fresh',
    isRefined: true,
    verdict: 'in-band',
    successes: 3,
    trials: 6,
    unscored: 1,
    mean: 0.5,
    interval: [0.1, 0.9],
    probabilityInBand: 0.7,
    admitted: true,
  });
});

test('bins posterior means of fresh tasks before refinement beside those of the admitted ones', () => {
  const { histogram } = reportOf();
  expect(histogram.filter(({ fresh, admitted }) => fresh + admitted > 0)).toEqual([
    { low: 0.5, high: 0.6, fresh: 1, admitted: 3 },
    { low: 0.9, high: 1, fresh: 1, admitted: 0 },
  ]);
  const edge = iterationReport({
    events: [calibrated('all', [8, 8], { posteriorMean: 1 }), calibrated('none', [0, 8], { posteriorMean: 0 })],
  });
  expect(edge.histogram.map(({ fresh }) => fresh)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
});

test('sets the rollouts of an admitted task against eight fixed ones of the same candidates', () => {
  const { rollouts } = reportOf();
  expect(rollouts).toMatchObject({ asked: 30, unscored: 2, rounds: 2, perAdmitted: 10, infrastructure: { successes: 2, trials: 30 } });
  // Beta-binomial probabilities of 3, 4 or 5 in 8 after 4/8, 4/4, 3/6 and 2/4: exact fractions.
  const expectedAccepted = 0.5498673411325109 + 0.07656605779478541 + 0.5179006697061229 + 0.469598782281424;
  expect(rollouts.fixedEight).toEqual({
    candidates: 4,
    rollouts: 32,
    expectedAccepted: expect.closeTo(expectedAccepted, 10),
    perAccepted: expect.closeTo(32 / expectedAccepted, 10),
  });
  expect(rollouts.saving?.share).toBeCloseTo(1 - (10 * expectedAccepted) / 32, 10);
});

test('counts finished rollouts, and then those of the verdicts, while the iteration goes on', () => {
  const going = events.filter(({ type }) => type !== 'synthesis-end');
  expect(iterationReport({ events: going }).rollouts).toMatchObject({ asked: 23, unscored: 1 });
  const finished = [rollout('a', solved), rollout('b', unscored), rollout('c', failed, { purpose: 'evaluation' })];
  expect(iterationReport({ events: [...going, ...finished] }).rollouts).toMatchObject({ asked: 2, unscored: 1 });
  expect(iterationReport({ events: going })).toMatchObject({ ended: null, cost: { executions: null } });
});

test('tells duplicates apart by the key that their detail names, and counts discards by reason', () => {
  const { duplicates, discards } = reportOf();
  expect(duplicates).toEqual({
    total: 2,
    byKey: [
      { key: 'line', count: 1 },
      { key: 'patch', count: 1 },
    ],
  });
  expect(discards).toEqual([
    { reason: 'duplicate', count: 1 },
    { reason: 'hopeless', count: 1 },
    { reason: 'refined', count: 1 },
  ]);
  const unnamed = [discard('x', 'duplicate', 'of something'), discard('y', 'duplicate', 'statement: near')];
  expect(iterationReport({ events: unnamed }).duplicates.byKey).toEqual([
    { key: 'other', count: 1 },
    { key: 'statement', count: 1 },
  ]);
});

test('measures drift of the admitted tasks from the target, those of the bank by their earlier validation', () => {
  const targetMix = {
    repository: { qs: 0.5, tape: 0.5 },
    operatorFamily: { conditions: 1 },
    patchSize: { tiny: 1 },
    statementRung: { region: 1 },
  };
  const unknown = reportOf({ targetMix }).kinds;
  expect(unknown.unknown).toBe(1);
  expect(unknown.mix?.statementRung).toEqual({ region: 0.5, symptom: 0.5 });
  const { kinds } = reportOf({ targetMix, earlier: [validate('b1', { source: 'tape' })] });
  expect(kinds.unknown).toBe(0);
  expect(kinds.mix?.repository).toEqual({ qs: 2 / 3, tape: 1 / 3 });
  expect(kinds.drift?.dimensions.repository.largestDifference).toBeCloseTo(1 / 6, 12);
  // t1 alone is fresh: r1 was refined, b1 is of the bank
  expect(kinds.drift?.fresh).toMatchObject({ share: expect.closeTo(1 / 3, 12), holds: true });
  expect(reportOf().kinds.drift).toBeNull();
});

test('gives cost in dollars where something says a price, tokens where rollouts say their usage, and else null', () => {
  expect(reportOf().cost).toEqual({ usd: 1.5, usdPerAdmitted: 0.5, unpricedRollouts: 0, tokens: null, executions: 40 });
  const priced = { promptTokens: 100, completionTokens: 10, costUsd: 0.25 };
  const going = events.filter(({ type }) => type !== 'synthesis-end');
  const spent = [
    rollout('a', solved, { usage: priced }),
    rollout('b', failed, { usage: { ...priced, isEstimated: true } }),
    rollout('c', failed),
  ];
  expect(iterationReport({ events: [...going, ...spent] }).cost).toEqual({
    usd: 0.5,
    usdPerAdmitted: 0.5 / 3,
    unpricedRollouts: 1,
    tokens: { prompt: 300, completion: 30, areEstimated: true },
    executions: null,
  });
  expect(iterationReport({ events: [...going, rollout('c', failed)] }).cost).toMatchObject({ usd: null, usdPerAdmitted: null });
});

test('reports the gain in ability with its interval, or null', () => {
  expect(reportOf().shift).toEqual({
    logits: 0.8,
    standardError: 0.25,
    interval: [expect.closeTo(0.310009, 6), expect.closeTo(1.289991, 6)],
    anchors: 24,
  });
  expect(iterationReport({ events: [] }).shift).toBeNull();
});

test('reports an iteration in which nothing happened yet', () => {
  const report = iterationReport({ events: [{ type: 'iteration-start', iteration: 3 }] });
  expect(iterationReportSchema.parse(report)).toEqual(report);
  expect(report).toMatchObject({ admitted: 0, rates: [], rollouts: { asked: 0, perAdmitted: null, infrastructure: null, saving: null } });
  expect(report.funnel.total).toMatchObject({ proposed: 0, shares: { valid: null } });
});

test('refuses events of several iterations', () => {
  expect(() => iterationReport({ events: [admit('a', 0), admit('b', 1)] })).toThrow(expect.objectContaining({ code: 'invalid-input' }));
});
