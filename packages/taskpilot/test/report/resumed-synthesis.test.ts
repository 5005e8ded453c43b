import { expect, it } from 'vitest';
import { iterationReport, type ReportedEvent } from '../../src/index.js';

const discard = (taskId: string, reason: 'unfinished' | 'too-easy'): ReportedEvent => ({
  ...{ type: 'candidate-discard', taskId, strategy: 's', source: 'a@1', reason, detail: '' },
});
const end = (rollouts: number, ended: 'budget' | 'count'): ReportedEvent => ({
  ...{ type: 'synthesis-end', ended, admitted: 1, rollouts, unscored: 0, executions: rollouts },
});
const admit = { type: 'task-admit', taskId: 'b' } as ReportedEvent;

it('counts the last end and the last fate of a synthesis that went on with a greater budget, in any order', () => {
  const events = [
    discard('a', 'unfinished'),
    discard('b', 'unfinished'),
    end(10, 'budget'),
    discard('a', 'too-easy'),
    admit,
    end(30, 'count'),
  ];
  for (const given of [events, [...events].reverse()]) {
    const report = iterationReport({ events: given });
    expect(report.ended).toBe('count');
    expect(report.cost.executions).toBe(30);
    expect(report.discards).toEqual([{ reason: 'too-easy', count: 1 }]);
  }
});
