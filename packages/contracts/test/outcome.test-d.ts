import { describe, expectTypeOf, test } from 'vitest';
import type { Outcome, RewardFunction, Scored, Unscored, UnscoredReason } from '../src/index.js';

declare const outcome: Outcome;

describe('Outcome', () => {
  test('has no reward that could be read before its status is known', () => {
    // @ts-expect-error an Unscored outcome has no reward
    outcome.reward;
    expectTypeOf<keyof Outcome>().toEqualTypeOf<'status'>();
    expectTypeOf<Unscored>().not.toHaveProperty('reward');
  });

  test('gives a number as reward once it is narrowed to Scored', () => {
    if (outcome.status === 'scored') {
      expectTypeOf(outcome).toEqualTypeOf<Scored>();
      expectTypeOf(outcome.reward).toBeNumber();
    } else {
      expectTypeOf(outcome).toEqualTypeOf<Unscored>();
      expectTypeOf(outcome.reason).toEqualTypeOf<UnscoredReason>();
    }
  });

  test('cannot be made Unscored with a reward', () => {
    const zeroed: Unscored = {
      status: 'unscored',
      reason: 'sandbox-failed',
      boundary: 'sandbox',
      detail: 'the sandbox died',
      // @ts-expect-error a failure is not a score, not even a zero
      reward: 0,
    };
    expectTypeOf(zeroed).toEqualTypeOf<Unscored>();
  });

  test('reaches a reward function only when it is scored', () => {
    type Given = Parameters<RewardFunction['score']>[0]['outcome'];
    expectTypeOf<Given>().toEqualTypeOf<Scored>();
    expectTypeOf<Outcome>().not.toExtend<Given>();
  });
});
