import type { AuditRule } from '@tadpole/contracts';
import { equality } from './equality.js';
import { patchedWorld } from './patched-world.js';
import { processEnd } from './process-end.js';

/** Rules over syntax trees of tests and product code. */
export function codeRules(): readonly AuditRule[] {
  return [processEnd(), equality(), patchedWorld()];
}
