export { createNamespaceProvider, type NamespaceProviderOptions } from './create-namespace-provider.js';
export { reapStaleSandboxes } from './reap-stale-sandboxes.js';
export { applySpanEdits } from './apply-span-edits.js';
export { createDependencyStore, type DependencyStore } from './create-dependency-store.js';
export { createTestExecutor } from './create-test-executor.js';
export { type OpenedSnapshot, openSnapshot } from './open-snapshot.js';
