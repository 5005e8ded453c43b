import type { AuditRule } from '@tadpole/contracts';
import { callOrder } from './call-order.js';
import { cutSpecification } from './cut-specification.js';
import { equality } from './equality.js';
import { fixtureReplay } from './fixture-replay.js';
import { forgedOutput } from './forged-output.js';
import { mockedSubject } from './mocked-subject.js';
import { patchedWorld } from './patched-world.js';
import { processEnd } from './process-end.js';
import { removedTests } from './removed-tests.js';
import { runtimeOracle } from './runtime-oracle.js';
import { specialCases } from './special-cases.js';
import { switchedOffTests } from './switched-off-tests.js';
import { testDetection } from './test-detection.js';
import { unverifiedClaim } from './unverified-claim.js';
import { vacuousTest } from './vacuous-test.js';
import { weakenedTests } from './weakened-tests.js';

/** Rules over syntax trees of tests and product code. */
export function codeRules(): readonly AuditRule[] {
  return [
    weakenedTests(),
    removedTests(),
    switchedOffTests(),
    mockedSubject(),
    processEnd(),
    equality(),
    patchedWorld(),
    testDetection(),
    runtimeOracle(),
    callOrder(),
    forgedOutput(),
    specialCases(),
    fixtureReplay(),
    cutSpecification(),
    unverifiedClaim(),
    vacuousTest(),
  ];
}
