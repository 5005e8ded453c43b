import type { Grader, Outcome, OwnedSandbox, Policy, Task } from '@tadpole/contracts';
import { leafTools, type RollOutOptions, type RolloutEnd, rollOut, rolloutSeed } from '../src/index.js';

/** A graded outcome without tests. */
export const scored = (reward: number): Outcome => ({ status: 'scored', reward, components: { tests: reward }, tests: [] });

/** A task whose folder is never read. */
export function taskOf(id: string): Task {
  return {
    directory: '/nowhere',
    data: {
      id,
      instruction: `Solve ${id}.`,
      environment: { dependencies: [], workspacePath: '/workspace' },
      limits: { processes: 9, memoryBytes: 9, cpuSeconds: 9, timeoutMs: 9, fileBytes: 9, writtenBytes: 9, writtenFiles: 9, outputBytes: 9 },
      verifier: {
        kind: 'tests',
        runner: 'node-test',
        testFiles: ['t.js'],
        failToPass: ['t.js::a'],
        passToPass: [],
        protectedPaths: [],
        timeoutMs: 9,
      },
      lineage: {
        kind: 'generated',
        generator: 'g',
        operator: 'o',
        source: 's@1',
        licence: 'MIT',
        snapshotHash: 'h',
        file: 'a.js',
        line: 1,
        statementRung: 'line',
      },
    },
  };
}

/** A sandbox that only counts: rollouts without tool calls ask it for nothing but its diff and its end. */
export function ledger() {
  const state = { opened: 0, disposed: 0, alive: 0, mostAlive: 0 };
  const unexpected = () => Promise.reject(new Error('not expected'));
  const open = async (): Promise<OwnedSandbox> => {
    state.opened += 1;
    state.alive += 1;
    state.mostAlive = Math.max(state.mostAlive, state.alive);
    return {
      id: `sandbox-${state.opened}`,
      run: unexpected,
      readFile: unexpected,
      writeFile: unexpected,
      glob: unexpected,
      diff: async () => 'patch',
      async dispose() {
        state.alive -= 1;
        state.disposed += 1;
      },
    };
  };
  return { state, open };
}

/** A turn that ends the run. */
export const answer = {
  message: { role: 'assistant' as const, content: 'Done.', toolCalls: [] },
  usage: { promptTokens: 2, completionTokens: 1 },
  stopReason: 'stop' as const,
};

export const policyOf = (respond: Policy['respond'] = async () => answer): Policy => ({ name: 'p', respond });
export const graderOf = (grade: Grader['grade'] = async () => scored(1)): Grader => ({ grade });
export const tick = () => new Promise((resolve) => setImmediate(resolve));
/** Never settles. */
export const forever = () => new Promise<never>(() => undefined);

/** Rejects as a boundary does that hears its signal. */
export const untilAborted = (signal?: AbortSignal) =>
  new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(new Error('stopped'))));

/** A door that stays shut until it is opened. */
export function door() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** Two tasks, two samples each, with parts that succeed at once. */
export const start = (given: Partial<RollOutOptions> = {}) =>
  rollOut({
    tasks: ['a', 'b'].map(taskOf),
    samplesPerTask: 2,
    hashTask: ({ data }) => JSON.stringify(data),
    purpose: 'evaluation',
    policy: policyOf(),
    weightsVersion: 'w1',
    tools: leafTools(),
    grader: graderOf(),
    openSandbox: ledger().open,
    concurrency: 2,
    gradingConcurrency: 1,
    sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 10 },
    seedFor: (of) => rolloutSeed({ runSeed: 1, ...of }),
    now: () => 0,
    ...given,
  });

export async function collect(run: AsyncGenerator<RolloutEnd, void>): Promise<RolloutEnd[]> {
  const ends: RolloutEnd[] = [];
  for await (const end of run) ends.push(end);
  return ends;
}
