import type { TestResult } from '@tadpole/contracts';

const loadFailure = /Cannot find (module|package)|ERR_MODULE_NOT_FOUND|ERR_REQUIRE_ESM|does not provide an export named/;
const undeclared = /\bReferenceError\b.*\bis not defined|^\S+ is not defined$/;

/**
 * True when a test failed because code could not be loaded or a name does not exist: damage that the first
 * glance shows and that says nothing about behaviour. A `SyntaxError` is not among them, since parsers
 * throw it at run time; a file that does not load leaves its tests missing instead.
 */
export function failedToLoad(test: TestResult): boolean {
  const message = test.message ?? '';
  return test.kind !== 'assertion' && (loadFailure.test(message) || undeclared.test(message));
}
