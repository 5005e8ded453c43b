import type { Sampler, TrainingClient } from '@tadpole/contracts';

/** Counts the time in which nothing is asked of an engine. */
export interface IdleClock {
  /** Runs a call, in which the clock stands. */
  during<Result>(call: () => Promise<Result>): Promise<Result>;
  /** Milliseconds without a call in flight, since the clock was made. */
  readMs(): number;
}

/** @param options.now - milliseconds. */
export function createIdleClock({ now }: { now: () => number }): IdleClock {
  let inFlight = 0;
  let idleMs = 0;
  let idleSince = now();
  return {
    async during(call) {
      if (inFlight === 0) idleMs += now() - idleSince;
      inFlight += 1;
      try {
        return await call();
      } finally {
        inFlight -= 1;
        if (inFlight === 0) idleSince = now();
      }
    },
    readMs: () => idleMs + (inFlight === 0 ? now() - idleSince : 0),
  };
}

/** The client, with every call to its engine on the clock; its samplers are too. */
export function onClock({ client, clock }: { client: TrainingClient; clock: IdleClock }): TrainingClient {
  return {
    ...client,
    forward: (call) => clock.during(() => client.forward(call)),
    forwardBackward: (call) => clock.during(() => client.forwardBackward(call)),
    optimStep: (settings) => clock.during(() => client.optimStep(settings)),
    createSampler: async () => {
      const sampler = await clock.during(() => client.createSampler());
      const sample: Sampler['sample'] = (call) => clock.during(() => sampler.sample(call));
      return { ...sampler, sample };
    },
  };
}
