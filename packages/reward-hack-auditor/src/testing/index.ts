export { type AuditSample, createAuditSample, type SampleCall } from './audit-sample.js';
export { type ConformanceCase, ruleConformance } from './rule-conformance.js';
