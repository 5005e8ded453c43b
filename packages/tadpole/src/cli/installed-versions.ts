import { createRequire } from 'node:module';

/** Versions that a run's record names: Node's, this package's, and the engine's. */
export function installedVersions(): Record<string, string> {
  const require = createRequire(import.meta.url);
  const versions: Record<string, string> = { node: process.versions.node };
  const own = require('../../package.json') as { version: string };
  versions.tadpole = own.version;
  try {
    versions['onnxruntime-node'] = (require('onnxruntime-node/package.json') as { version: string }).version;
  } catch {
    versions['onnxruntime-node'] = 'not installed';
  }
  return versions;
}
