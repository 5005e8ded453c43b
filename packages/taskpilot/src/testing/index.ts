export { type ConformanceCase, generatorConformance } from './generator-conformance.js';
