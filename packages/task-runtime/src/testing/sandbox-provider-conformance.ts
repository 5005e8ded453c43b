import assert from 'node:assert/strict';
import { containmentIdSchema, containmentSchema, type SandboxProvider } from '@tadpole/contracts';
import { changeCases } from './change-cases.js';
import { commandCases } from './command-cases.js';
import type { ConformanceCase } from './conformance-case.js';
import { containmentCase } from './containment-case.js';
import { exhaustionAttacks } from './exhaustion-attacks.js';
import { hostileWorkspaceCases } from './hostile-workspace-cases.js';
import { outsideAttacks } from './outside-attacks.js';
import { survivorAttacks } from './survivor-attacks.js';

/**
 * What every sandbox provider must do, as cases for any test framework: attacks on all that `describe()` claims to be
 * contained, commands and files, hostile workspaces, the captured change, the base, and the end. The cases need `bash`,
 * `git` and `node` inside.
 */
export function sandboxProviderConformance(provider: SandboxProvider): readonly ConformanceCase[] {
  const open: SandboxProvider['open'] = (request) => provider.open(request);
  return [
    {
      name: 'says of every thing that may be contained whether it is, once',
      async run() {
        const { enforced, notEnforced } = containmentSchema.parse(await provider.describe());
        assert.deepEqual([...enforced, ...notEnforced].map(({ id }) => id).sort(), [...containmentIdSchema.options].sort());
      },
    },
    ...[...outsideAttacks, ...exhaustionAttacks, ...survivorAttacks].map((attack) => containmentCase(provider, attack)),
    ...commandCases(open),
    ...hostileWorkspaceCases(open),
    ...changeCases(open),
  ];
}
