import { eventSchema, type TadpoleEvent } from '@tadpole/contracts';
import { expect, it } from 'vitest';
import { createOnceRecorder } from '../src/climb/once-recorder.js';
import type { TimelessEvent } from '../src/run/timeless-event.js';

const refused = (reason: string, iteration = 0): TimelessEvent => ({
  detail: 'no test failed',
  type: 'candidate-refuse',
  iteration,
  candidateId: 'c1',
  strategy: 'mutation-operators',
  operator: 'swap-arithmetic',
  source: 'sample@1.0.0',
  reason,
});
const ended = (executions: number): TimelessEvent => ({
  type: 'synthesis-end',
  iteration: 0,
  ended: 'count',
  admitted: 3,
  rollouts: 40,
  unscored: 0,
  executions,
});

function recorder(journaled: readonly TimelessEvent[]) {
  const recorded: TimelessEvent[] = [];
  const record = (event: TimelessEvent) => {
    recorded.push(event);
    return { ...event, at: 'now' } as TadpoleEvent;
  };
  const read = journaled.map((event) => eventSchema.parse({ ...event, at: 'before' }));
  return { recorded, recordOnce: createOnceRecorder({ journaled: read, record }) };
}

it('gives back what the journal held, whatever its time and the order of its members', () => {
  const { recorded, recordOnce } = recorder([refused('not-killed')]);
  const { detail, ...rest } = refused('not-killed') as Extract<TimelessEvent, { type: 'candidate-refuse' }>;
  expect(recordOnce({ ...rest, detail })).toMatchObject({ reason: 'not-killed', at: 'before' });
  expect(recorded).toEqual([]);
});

it('records what differs in anything but the time', () => {
  const { recorded, recordOnce } = recorder([refused('not-killed')]);
  recordOnce(refused('crashed'));
  recordOnce(refused('not-killed', 1));
  expect(recorded).toHaveLength(2);
});

it('takes the end of an iteration as known though it counted other executions', () => {
  const { recorded, recordOnce } = recorder([ended(40)]);
  expect(recordOnce(ended(43))).toMatchObject({ executions: 40 });
  expect(recorded).toEqual([]);
});
