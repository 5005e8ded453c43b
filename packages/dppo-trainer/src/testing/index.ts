export { createBigramClient } from './bigram-client.js';
export type { ConformanceCase } from './conformance-case.js';
export { samplerConformance } from './sampler-conformance.js';
export { tinkerConformance } from './tinker/tinker-conformance.js';
export { type TinkerAnswer, type TinkerRequests, tinkerRequests } from './tinker/tinker-requests.js';
export type { TinkerTraits } from './tinker/tinker-suite.js';
export { trainingClientConformance } from './training-client-conformance.js';
