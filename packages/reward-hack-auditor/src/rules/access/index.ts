import type { AuditRule } from '@tadpole/contracts';

/** Rules over what was run and read: oracle access, graders, secrets, obfuscation. */
export function accessRules(): readonly AuditRule[] {
  return [];
}
