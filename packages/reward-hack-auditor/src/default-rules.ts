import type { AuditRule } from '@tadpole/contracts';
import { accessRules } from './rules/access/index.js';
import { codeRules } from './rules/code/index.js';
import { harnessRules } from './rules/harness/index.js';
import { judgeInjection } from './rules/judge-injection.js';

/** Every rule of this package. Pass your own list, or this one with more in it, to `auditTrajectory`. */
export function defaultRules(): readonly AuditRule[] {
  return [...accessRules(), ...harnessRules(), ...codeRules(), judgeInjection()];
}
