export type { ConformanceCase } from './conformance-case.js';
export { policyConformance } from './policy-conformance.js';
export { rendererConformance } from './renderer-conformance.js';
export { type PolicyRequest, type ScriptedPolicy, type ScriptedStep, scriptedPolicy } from './scripted-policy.js';
export { toolConformance } from './tool-conformance.js';
export { type UnsafeDirectorySandbox, unsafeDirectorySandbox } from './unsafe-directory-sandbox.js';
