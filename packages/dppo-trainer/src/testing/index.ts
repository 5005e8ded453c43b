export { createBigramClient } from './bigram-client.js';
export type { ConformanceCase } from './conformance-case.js';
export { samplerConformance } from './sampler-conformance.js';
export { trainingClientConformance } from './training-client-conformance.js';
