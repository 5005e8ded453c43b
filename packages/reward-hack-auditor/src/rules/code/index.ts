import type { AuditRule } from '@tadpole/contracts';

/** Rules over syntax trees of tests and product code. */
export function codeRules(): readonly AuditRule[] {
  return [];
}
