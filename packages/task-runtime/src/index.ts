export { createNamespaceProvider, type NamespaceProviderOptions } from './create-namespace-provider.js';
export { reapStaleSandboxes } from './reap-stale-sandboxes.js';
