import type { AuditRule } from '@tadpole/contracts';

/** Rules over configuration and tooling: what decides how tests run. */
export function harnessRules(): readonly AuditRule[] {
  return [];
}
