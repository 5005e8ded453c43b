export type { ConformanceCase } from './conformance-case.js';
export { sandboxProviderConformance } from './sandbox-provider-conformance.js';
