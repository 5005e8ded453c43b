import fc from 'fast-check';
import { expect, test } from 'vitest';
import { iterationReport, iterationReportSchema, type ReportedEvent } from '../../src/index.js';
import { admit, calibrated, discard, failed, refuse, rollout, solved, unscored, validate } from '../support/report-events.js';

const id = fc.integer({ min: 0, max: 14 }).map((number) => `t${number}`);
const operator = fc.constantFrom('flip', 'swap', 'toString', '__proto__');
const strategy = fc.constantFrom('mutation', 'say-less', 'constructor');
const verdict = fc.constantFrom('in-band', 'too-easy', 'too-hard', 'undecided');
const counts = fc.tuple(fc.nat(6), fc.nat(6)).map(([successes, failures]) => [successes, successes + failures] as const);
const parents = fc.array(id, { maxLength: 2 });

const event: fc.Arbitrary<ReportedEvent> = fc.oneof(
  fc
    .record({ id, operator, strategy, reason: fc.constantFrom('not-killed', 'duplicate', 'constructor') })
    .map(({ id, ...changes }) => refuse(id, changes)),
  fc
    .record({ id, operator, strategy, parents, split: fc.constantFrom('train', 'held-out') })
    .map(({ id, ...changes }) => validate(id, changes)),
  fc
    .record({ id, counts, verdict, strategy, unscored: fc.nat(3), origin: fc.constantFrom('fresh', 'bank') })
    .map(({ id, counts, ...changes }) => calibrated(id, counts, changes)),
  id.map((taskId) => discard(taskId, 'quota')),
  id.map((taskId) => admit(taskId)),
  fc.tuple(id, fc.constantFrom(solved, failed, unscored)).map(([key, outcome]) => rollout(key, outcome)),
);
const events = fc.array(event, { maxLength: 80 });

/** One event of each type and id, so that no event is the first of several that differ. */
const distinct = fc.uniqueArray(event, {
  maxLength: 60,
  selector: (event) => `${event.type} ${'taskId' in event && event.type !== 'rollout-end' ? event.taskId : JSON.stringify(event)}`,
});

const resamples = 20;

test('every row of a funnel adds up, and rows add up to the total, whatever the events', () => {
  fc.assert(
    fc.property(events, (list) => {
      const report = iterationReport({ events: list, resamples });
      const { total, byOperator, byStrategy, carried } = report.funnel;
      for (const row of [total, ...byOperator, ...byStrategy]) {
        expect(row.proposed).toBe(row.refused + row.valid);
        expect(row.refusals.reduce((sum, { count }) => sum + count, 0)).toBe(row.refused);
        const stages = [row.valid - row.heldOut, row.measured, row.inBand, row.admitted];
        expect(stages).toEqual([...stages].sort((left, right) => right - left));
      }
      for (const rows of [byOperator, byStrategy]) {
        for (const stage of ['proposed', 'refused', 'valid', 'heldOut', 'measured', 'inBand', 'admitted'] as const) {
          expect(rows.reduce((sum, row) => sum + row[stage], 0)).toBe(total[stage]);
        }
      }
      expect(total.admitted + carried.admitted).toBe(report.admitted);
      expect(iterationReportSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
    }),
  );
});

test('is the same for the events in any order and any of them twice', () => {
  fc.assert(
    fc.property(
      distinct.filter((list) => new Set(list.map(idOf)).size === list.length),
      fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
      (list, stream) => {
        const keyed = [...list, ...list.filter((_, index) => index % 3 === 0)].map((event) => ({
          event,
          place: stream.next().value as number,
        }));
        const shuffled = keyed.sort((left, right) => left.place - right.place).map(({ event }) => event);
        expect(iterationReport({ events: shuffled, resamples })).toEqual(iterationReport({ events: list, resamples }));
      },
    ),
  );
});

test('the histogram holds every fresh unrefined task and every admitted measured one once', () => {
  fc.assert(
    fc.property(events, (list) => {
      const { histogram, rates } = iterationReport({ events: list, resamples });
      const sum = (key: 'fresh' | 'admitted') => histogram.reduce((total, bin) => total + bin[key], 0);
      expect(sum('fresh')).toBe(rates.filter(({ origin, isRefined }) => origin === 'fresh' && !isRefined).length);
      expect(sum('admitted')).toBe(rates.filter(({ admitted }) => admitted).length);
    }),
  );
});

function idOf(event: ReportedEvent): string {
  if ('candidateId' in event) return `${event.type} ${event.candidateId}`;
  if ('key' in event) return `${event.type} ${event.key}`;
  return 'taskId' in event ? `${event.type} ${event.taskId}` : event.type;
}
