import type { TadpoleEvent } from '@tadpole/contracts';
import { describe, expect, it } from 'vitest';
import { resumePosition } from '../src/climb/resume-position.js';

const at = '2026-11-29T12:00:00.000Z';
const start = (iteration: number): TadpoleEvent => ({ type: 'iteration-start', at, iteration, weightsVersion: `w${iteration}` });
const update = (iteration: number, number: number): TadpoleEvent => ({
  type: 'update-end',
  at,
  iteration,
  update: number,
  weightsVersion: 'w',
  metrics: {},
});
const end = (iteration: number): TadpoleEvent => ({ type: 'iteration-end', at, iteration, weightsVersion: 'w', checkpoint: 'c' });

describe('the resume position', () => {
  it('of an empty journal is the start', () => {
    expect(resumePosition([])).toMatchObject({ iteration: 0, updates: 0, checkpoint: undefined });
  });

  it('lies behind the last update of the iteration that has not ended', () => {
    const position = resumePosition([start(0), update(0, 0), end(0), start(1), update(1, 0), update(1, 1)]);
    expect(position).toMatchObject({ iteration: 1, updates: 2, checkpoint: 'iteration-1-update-1' });
    expect(position.startVersions.get(1)).toBe('w1');
  });

  it('keeps the last checkpoint across the end of an iteration', () => {
    expect(resumePosition([start(0), update(0, 0), end(0)])).toMatchObject({
      iteration: 1,
      updates: 0,
      checkpoint: 'iteration-0-update-0',
    });
  });
});
