import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Candidate, Snapshot } from '@tadpole/contracts';
import { createDependencyStore, createNamespaceProvider, createTestExecutor } from '@tadpole/task-runtime';
import { createModelGenerator, type ModelCall, seededRandom, validateCandidate } from '@tadpole/taskpilot';
import { sampleLimits } from '../../packages/taskpilot/test/support/sample-project.js';

/** How one proposal ended: the validation's status or reason, or the reason of the last call. */
export type ProposalEnd = { readonly end: string; readonly candidate?: Candidate };

/** Asks a model for bugs in a snapshot and validates what comes in namespace sandboxes. */
export async function proposeBugs(options: { baseURL: string; snapshot: Snapshot; proposals: number }): Promise<{
  calls: readonly ModelCall[];
  ends: readonly ProposalEnd[];
  spent: ReturnType<ReturnType<typeof createModelGenerator>['spent']>;
}> {
  const { baseURL, snapshot, proposals } = options;
  const folder = await mkdtemp(join(tmpdir(), 'tadpole-real-model-bugs-'));
  const provider = createNamespaceProvider({ scratchDirectory: join(folder, 'scratch') });
  const dependencyStore = createDependencyStore({ nodeModules: 'node_modules', into: join(folder, 'dependencies') });
  const executor = createTestExecutor({ provider, dependencyStore, limits: sampleLimits });
  const calls: ModelCall[] = [];
  const ends: ProposalEnd[] = [];
  const generator = createModelGenerator({
    endpoint: { baseURL, model: 'SmolLM2-135M-Instruct', temperature: 1, maxTokens: 200 },
    kind: 'bug',
    proposals,
    maxSourceTokens: 300,
    onCall(call) {
      calls.push(call);
      if (call.outcome === 'refused') ends.push({ end: `refused: ${call.reason}` });
    },
  });
  try {
    for await (const candidate of generator.propose({ snapshot, random: seededRandom('real-model') })) {
      const result = await validateCandidate({ snapshot, candidate, executor, limits: sampleLimits, random: () => 0.5 });
      ends.push({ end: result.status === 'valid' ? 'valid' : `not valid: ${result.reason}`, candidate });
    }
    return { calls, ends, spent: generator.spent() };
  } finally {
    await provider.disposeAll();
    await rm(folder, { recursive: true, force: true });
  }
}
