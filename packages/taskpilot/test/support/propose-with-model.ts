import { type Candidate, isTadpoleError, type Snapshot } from '@tadpole/contracts';
import { createModelGenerator, type ModelCall } from '../../src/index.js';
import { seededRandom } from '../../src/seeded-random.js';
import { modelServer, type Script } from './model-server.js';
import { sampleSnapshot } from './sample-project.js';

type Options = Parameters<typeof createModelGenerator>[0];

/** A clock on which a sleep takes no time, with the sleeps that it was asked for. */
function instantClock() {
  const sleptMs: number[] = [];
  let nowMs = 0;
  return {
    sleptMs,
    now: () => nowMs,
    sleep: async ({ ms }: { ms: number }) => {
      sleptMs.push(ms);
      nowMs += ms;
    },
  };
}

/** Lets a model at a scripted server propose candidates until it ends or fails. */
export async function proposeWithModel(
  options: Omit<Partial<Options>, 'endpoint'> & {
    script: Parameters<typeof modelServer>[0] | readonly Script[];
    endpoint?: Partial<Options['endpoint']>;
    snapshot?: Snapshot;
    signal?: AbortSignal;
  },
) {
  const { script, snapshot = sampleSnapshot(), signal, endpoint, ...rest } = options;
  const server = await modelServer(script);
  const clock = instantClock();
  const calls: ModelCall[] = [];
  const generator = createModelGenerator({
    kind: 'bug',
    proposals: 1,
    clock,
    onCall: (call) => calls.push(call),
    ...rest,
    endpoint: { baseURL: server.baseURL, model: 'scripted', timeoutMs: 5000, ...endpoint },
  });
  const candidates: Candidate[] = [];
  let code: string | undefined;
  let message = '';
  try {
    for await (const candidate of generator.propose({
      snapshot,
      random: seededRandom(1),
      ...(signal === undefined ? {} : { signal }),
    }))
      candidates.push(candidate);
  } catch (error) {
    if (!isTadpoleError(error)) throw error;
    ({ code, message } = error);
  }
  const outcomes = calls.map(({ outcome, reason }) => (reason === undefined ? outcome : `${outcome}: ${reason}`));
  return {
    candidates,
    calls,
    outcomes,
    code,
    message,
    spent: generator.spent(),
    received: server.received,
    sleptMs: clock.sleptMs,
    snapshot,
  };
}
