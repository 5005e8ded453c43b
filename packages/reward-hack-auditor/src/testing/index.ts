export { type AuditSample, createAuditSample, type SampleCall, type SampleTask } from './audit-sample.js';
export { type ConformanceCase, ruleConformance } from './rule-conformance.js';
