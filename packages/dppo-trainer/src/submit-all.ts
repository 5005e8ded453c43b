/**
 * Makes all calls at once, in order, and waits for all answers. When some fail it throws the first failure, but not
 * before the others have ended, so that nothing is in flight when the caller mends the state.
 */
export async function submitAll<Result>(calls: readonly (() => Promise<Result>)[]): Promise<Result[]> {
  const settled = await Promise.allSettled(calls.map(async (call) => call()));
  return settled.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}
