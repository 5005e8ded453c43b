import { join } from 'node:path';
import { createTinkerClient, type TinkerConnection, tinkerProfiles } from '@tadpole/dppo-trainer';
import {
  type ConformanceCase,
  samplerConformance,
  tinkerConformance,
  tinkerRequests,
  trainingClientConformance,
} from '@tadpole/dppo-trainer/testing';

/** How a server held to the suites. */
export interface ConformanceResult {
  readonly passed: readonly string[];
  readonly failed: readonly { readonly name: string; readonly why: string }[];
  /** Not run: beyond `most` of their suite, or after the time was over. */
  readonly left: number;
}

const sequences = [
  [30, 70, 110, 20, 90, 40],
  [50, 10, 300, 80],
  [120, 130, 140, 150, 160, 170, 180],
];

/** The suites of training clients, samplers and the protocol, as `npm run test:skyrl` runs them, one case after the other. */
export async function runConformance(options: {
  url: string;
  baseModel: string;
  folder: string;
  /** Cases of each suite at most. @default all */
  most?: number;
  /** Asked before every case. */
  isOver: () => boolean;
  onCase: (line: string) => void;
}): Promise<ConformanceResult> {
  const { url, baseModel, folder, most = Number.POSITIVE_INFINITY, isOver, onCase } = options;
  let connections: TinkerConnection[] = [];
  let folders = 0;
  const connect = async () => {
    const connection = await createTinkerClient({ baseUrl: url, server: 'skyrl-jax', rank: 8, seed: 1, contextTokens: 128 });
    connections.push(connection);
    return connection.client;
  };
  const suites: readonly (readonly ConformanceCase[])[] = [
    trainingClientConformance({
      ...{ createClient: connect, sequences, tolerance: 1e-3 },
      createDirectory: async () => join(folder, `state-${folders++}`),
    }),
    samplerConformance({ createSampler: async () => (await connect()).createSampler(), prompt: [30, 70, 110] }),
    tinkerConformance({
      ...{ requests: tinkerRequests({ baseUrl: () => url }), traits: tinkerProfiles['skyrl-jax'], baseModel, prefix: 'conformance' },
      tokens: [30, 70, 110, 20, 90, 40, 50, 10, 300, 80, 120, 130],
    }),
  ];
  const all = suites.reduce((sum, suite) => sum + suite.length, 0);
  const [passed, failed]: [string[], { name: string; why: string }[]] = [[], []];
  for (const { name, run } of suites.flatMap((suite) => suite.slice(0, most))) {
    if (isOver()) break;
    try {
      await run();
      passed.push(name);
      onCase(`  ok      ${name}`);
    } catch (error) {
      const why = String(error).slice(0, 300);
      failed.push({ name, why });
      onCase(`  FAILED  ${name}: ${why}`);
    }
    await Promise.all(connections.map(({ close }) => close()));
    connections = [];
  }
  return { passed, failed, left: all - passed.length - failed.length };
}
