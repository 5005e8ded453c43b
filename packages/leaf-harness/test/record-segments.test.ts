import { tokenSegmentSchema } from '@tadpole/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordSegments } from '../src/index.js';

const turn = (promptIds: number[], completionIds: number[], weightsVersion = 'w1') => ({
  promptIds,
  completionIds,
  completionLogprobs: completionIds.map((id) => -id / 10),
  weightsVersion,
});

describe('recordSegments', () => {
  it('continues the segment of a prompt that extends the ids so far, and says which weights sampled what', () => {
    expect(recordSegments([turn([1, 2], [3]), turn([1, 2, 3, 4, 5], [6, 7], 'w2')])).toEqual({
      segments: [
        {
          ids: [1, 2, 3, 4, 5, 6, 7],
          mask: [false, false, true, false, false, true, true],
          logprobs: [0, 0, -0.3, 0, 0, -0.6, -0.7],
          weightsVersions: ['w1', 'w2'],
          versionIndices: [0, 0, 0, 0, 0, 1, 1],
        },
      ],
      segmentBreaks: 0,
    });
  });

  it('starts a new segment and counts a break when a sampled id was rendered otherwise', () => {
    const { segments, segmentBreaks } = recordSegments([turn([1], [2, 3]), turn([1, 2, 9, 4], [5])]);
    expect(segmentBreaks).toBe(1);
    expect(segments.map(({ ids, mask }) => [ids, mask])).toEqual([
      [
        [1, 2, 3],
        [false, true, true],
      ],
      [
        [1, 2, 9, 4, 5],
        [false, false, false, false, true],
      ],
    ]);
  });

  it('starts a new segment when a prompt lacks the end of what was sampled', () => {
    expect(recordSegments([turn([1], [2, 3]), turn([1, 2], [4])]).segmentBreaks).toBe(1);
  });

  it('gives nothing for no turns', () => {
    expect(recordSegments([])).toEqual({ segments: [], segmentBreaks: 0 });
  });

  it('refuses a turn without a log-probability for every id', () => {
    expect(() => recordSegments([{ ...turn([1], [2]), completionLogprobs: [] }])).toThrow(
      expect.objectContaining({ code: 'invalid-input' }),
    );
  });

  it('keeps every sampled token once, with its log-probability, after the prompt it was sampled from', () => {
    const id = fc.nat(3);
    const steps = fc.array(
      fc.record({ extends: fc.boolean(), added: fc.array(id, { maxLength: 5 }), completion: fc.array(id, { maxLength: 5 }) }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(steps, (plan) => {
        let sofar: number[] = [];
        let drawn = 0;
        const turns = plan.map((step) => {
          const promptIds = step.extends ? [...sofar, ...step.added] : step.added;
          sofar = [...promptIds, ...step.completion];
          return {
            promptIds,
            completionIds: step.completion,
            completionLogprobs: step.completion.map(() => -++drawn),
            weightsVersion: 'w',
          };
        });
        const { segments, segmentBreaks } = recordSegments(turns);
        for (const segment of segments) tokenSegmentSchema.parse(segment);

        // Log-probabilities are -1, -2, … in the order of drawing: they identify each sampled token.
        const sampled = segments.flatMap(({ ids, mask, logprobs }) =>
          ids.flatMap((value, at) => (mask[at] ? [[value, logprobs[at]]] : [])),
        );
        expect(sampled).toEqual(
          turns.flatMap(({ completionIds, completionLogprobs }) => completionIds.map((value, at) => [value, completionLogprobs[at]])),
        );
        expect(segments.every(({ mask, logprobs }) => mask.every((isSampled, at) => isSampled || logprobs[at] === 0))).toBe(true);
        expect(segmentBreaks).toBe(Math.max(0, segments.length - 1));

        for (const { promptIds, completionIds } of turns) {
          const whole = [...promptIds, ...completionIds];
          expect(segments.some(({ ids }) => whole.every((value, at) => ids[at] === value))).toBe(true);
        }
        if (plan.every((step, index) => index === 0 || step.extends)) expect(segmentBreaks).toBe(0);
      }),
    );
  });
});
