export { type ConformanceCase, generatorConformance } from './generator-conformance.js';
export { refinementMoveConformance } from './refinement-move-conformance.js';
