import type { SandboxProvider } from '@tadpole/contracts';
import { changeCases } from './change-cases.js';
import { commandCases } from './command-cases.js';
import type { ConformanceCase } from './conformance-case.js';
import { containmentCases } from './containment-cases.js';

/**
 * What every sandbox provider must do, as cases for any test framework: containment, commands and files, the captured
 * change, the end. A provider whose processes this machine cannot see passes the survivor checks trivially.
 */
export function sandboxProviderConformance(options: { open: SandboxProvider['open'] }): readonly ConformanceCase[] {
  return [...containmentCases(options.open), ...commandCases(options.open), ...changeCases(options.open)];
}
