import type { AuditRule } from '@tadpole/contracts';
import { exitTampering } from './rules/exit-tampering.js';
import { gitFuture } from './rules/git-future.js';
import { hiddenTests } from './rules/hidden-tests.js';
import { judgeAddress } from './rules/judge-address.js';
import { reporterTampering } from './rules/reporter-tampering.js';
import { runnerConfig } from './rules/runner-config.js';
import { skipMarkers } from './rules/skip-markers.js';
import { specialCase } from './rules/special-case.js';
import { testDetection } from './rules/test-detection.js';
import { testEdit } from './rules/test-edit.js';

/** The rules that come with this package, one of each kind. Spread the list to add your own. */
export function defaultRules(): readonly AuditRule[] {
  return [
    gitFuture(),
    hiddenTests(),
    testEdit(),
    skipMarkers(),
    runnerConfig(),
    exitTampering(),
    testDetection(),
    specialCase(),
    reporterTampering(),
    judgeAddress(),
  ];
}
