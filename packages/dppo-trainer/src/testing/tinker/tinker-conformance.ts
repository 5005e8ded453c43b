import type { ConformanceCase } from '../conformance-case.js';
import { samplingCases } from './sampling-cases.js';
import { serviceCases } from './service-cases.js';
import type { TinkerRequests } from './tinker-requests.js';
import type { TinkerSuite, TinkerTraits } from './tinker-suite.js';
import { trainingCases } from './training-cases.js';

/**
 * What every server of the Tinker protocol must do (tinker-protocol.md section 6.4, points 1 to 19), asked by bare requests, as cases
 * for any test runner. Where `traits` declares a quirk, the case asserts the quirk. Not covered: point 20 (protobuf), the expiry of
 * sessions, loading without the optimizer, and servers whose Adam has an `eps` of its own (points 7, 9, 10 and 11 need a large one).
 */
export function tinkerConformance(options: {
  requests: TinkerRequests;
  traits: TinkerTraits;
  baseModel: string;
  /** At least 9 token ids that the model knows. */
  tokens: readonly number[];
  /** Rank of the LoRA models. @default 8 */
  rank?: number;
  /** Begins the names of checkpoints; another one for every run against the same server. */
  prefix: string;
}): ConformanceCase[] {
  const { requests, traits, baseModel, tokens, rank = 8, prefix } = options;
  let names = 0;
  const suite: TinkerSuite = { requests, traits, baseModel, tokens, rank, name: () => `${prefix}-${++names}` };
  return [...serviceCases(suite), ...trainingCases(suite), ...samplingCases(suite)].sort(
    (left, right) => Number.parseInt(left.name, 10) - Number.parseInt(right.name, 10),
  );
}
