import { type Grader, type Outcome, type OwnedSandbox, type Policy, TadpoleError, type Task } from '@tadpole/contracts';
import { describe, expect, it } from 'vitest';
import { leafTools, type RollOutOptions, type RolloutEnd, rollOut, rolloutSeed } from '../src/index.js';
import { unsafeDirectorySandbox } from '../src/testing/index.js';

const scored = (reward: number): Outcome => ({ status: 'scored', reward, components: { tests: reward }, tests: [] });
const unscored = (reason: 'grader-failed' | 'task-invalid'): Outcome => ({
  status: 'unscored',
  reason,
  boundary: 'grader',
  detail: reason,
});

function taskOf(id: string): Task {
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
function ledger() {
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

const answer = {
  message: { role: 'assistant' as const, content: 'Done.', toolCalls: [] },
  usage: { promptTokens: 2, completionTokens: 1 },
  stopReason: 'stop' as const,
};
const policyOf = (respond: Policy['respond'] = async () => answer): Policy => ({ name: 'p', respond });
const graderOf = (grade: Grader['grade'] = async () => scored(1)): Grader => ({ grade });
const untilAborted = (signal?: AbortSignal) =>
  new Promise<never>((_, reject) =>
    signal?.addEventListener('abort', () => reject(new TadpoleError({ code: 'aborted', message: 'stopped' }))),
  );
const tick = () => new Promise((resolve) => setImmediate(resolve));
/** A door that stays shut until it is opened. */
function door() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

const start = (given: Partial<RollOutOptions> = {}) =>
  rollOut({
    tasks: ['a', 'b'].map(taskOf),
    samplesPerTask: 2,
    purpose: 'train',
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
async function collect(run: AsyncGenerator<RolloutEnd, void>): Promise<RolloutEnd[]> {
  const ends: RolloutEnd[] = [];
  for await (const end of run) ends.push(end);
  return ends;
}
const identity = (ends: RolloutEnd[]) => ends.map(({ key, task, sample, seed }) => [key, task.data.id, sample, seed].join(' ')).sort();

describe('rollOut', () => {
  it('gives one scored record for every task and sample, and disposes every sandbox', async () => {
    const { state, open } = ledger();
    const ends = await collect(start({ openSandbox: open }));
    expect(ends.map(({ task, sample }) => `${task.data.id}${sample}`).sort()).toEqual(['a0', 'a1', 'b0', 'b1']);
    expect(new Set(ends.map(({ key }) => key)).size).toBe(4);
    expect(ends[0]).toMatchObject({
      type: 'rollout-end',
      purpose: 'train',
      weightsVersion: 'w1',
      outcome: { reward: 1 },
      failedAttempts: [],
    });
    expect(ends[0]?.trajectory).toMatchObject({ stopReason: 'agent', patch: 'patch', policy: 'p' });
    expect(ends.every(({ seed, trajectory }) => trajectory.sampling.seed === seed)).toBe(true);
    expect(state).toMatchObject({ opened: 4, disposed: 4, alive: 0 });
    expect(state.mostAlive).toBeLessThanOrEqual(2);
  });

  it('gives the same keys and seeds whatever the concurrency', async () => {
    const one = identity(await collect(start({ concurrency: 1 })));
    expect(identity(await collect(start({ concurrency: 4, gradingConcurrency: 3 })))).toEqual(one);
  });

  it('skips the keys that are finished', async () => {
    const all = await collect(start());
    const finished = new Set(all.slice(0, 3).map(({ key }) => key));
    const rest = await collect(start({ isFinished: async (key) => finished.has(key) }));
    expect(rest.map(({ key }) => key)).toEqual([all[3]!.key]);
    expect(await collect(start({ isFinished: (key) => finished.has(key), weightsVersion: 'w2' }))).toHaveLength(4);
  });

  it('works through a real sandbox: the patch that is graded is what the tools changed', async () => {
    const patches: string[] = [];
    const write: Policy['respond'] = async ({ messages }) =>
      messages.length > 2
        ? answer
        : {
            ...answer,
            message: { ...answer.message, toolCalls: [{ id: '1', name: 'Write', arguments: '{"file_path":"a.txt","content":"2\\n"}' }] },
          };
    const [end] = await collect(
      start({
        tasks: [taskOf('a')],
        samplesPerTask: 1,
        policy: policyOf(write),
        openSandbox: () => unsafeDirectorySandbox({ files: { 'a.txt': '1\n' } }),
        grader: graderOf(async ({ patch }) => {
          patches.push(patch);
          return scored(0);
        }),
      }),
    );
    expect(patches).toEqual([end!.trajectory.patch]);
    expect(patches[0]).toContain('-1\n+2\n');
  });

  it('lets agents go on while a grading is slow, up to its bound', async () => {
    const { opened, open } = door();
    let asked = 0;
    const run = start({
      tasks: Array.from({ length: 20 }, (_, index) => taskOf(`t${index}`)),
      samplesPerTask: 1,
      policy: policyOf(async () => {
        asked += 1;
        return answer;
      }),
      grader: graderOf(() => opened.then(() => scored(1))),
    });
    const first = run.next();
    for (let wait = 0; wait < 100; wait += 1) await tick();
    // 2 * concurrency + gradingConcurrency rollouts are begun although no grading has ended.
    expect(asked).toBe(5);
    open();
    await first;
    expect(await collect(run)).toHaveLength(19);
  });

  it('grades at most gradingConcurrency at one time, after the sandbox is gone', async () => {
    const { state, open } = ledger();
    let grading = 0;
    let most = 0;
    const grader = graderOf(async () => {
      most = Math.max(most, ++grading);
      await tick();
      grading -= 1;
      return scored(state.disposed > 0 ? 1 : 0);
    });
    const ends = await collect(start({ openSandbox: open, concurrency: 4, gradingConcurrency: 2, grader }));
    expect(most).toBe(2);
    expect(ends.every(({ outcome }) => outcome.status === 'scored' && outcome.reward === 1)).toBe(true);
  });
});

describe('an infrastructure failure', () => {
  const one = { tasks: [taskOf('a')], samplesPerTask: 1 };
  const failing = (code: 'policy' | 'sandbox') => () => Promise.reject(new TadpoleError({ code, message: 'down' }));

  it('of the policy is tried once more in a fresh sandbox and its cost is kept', async () => {
    const { state, open } = ledger();
    let calls = 0;
    const flaky = policyOf(async () => (calls++ === 0 ? failing('policy')() : answer));
    const [end] = await collect(start({ ...one, openSandbox: open, policy: flaky }));
    expect(end).toMatchObject({
      outcome: { status: 'scored' },
      failedAttempts: [{ stage: 'agent', detail: 'policy: down', usage: { promptTokens: 0 } }],
    });
    expect(state).toMatchObject({ opened: 2, disposed: 2 });
  });

  it('that stays is unscored, ungraded and no reward of 0', async () => {
    const grader = graderOf(() => Promise.reject(new Error('not expected')));
    const [end] = await collect(start({ ...one, grader, policy: policyOf(failing('policy')) }));
    expect(end).toMatchObject({
      outcome: { status: 'unscored', reason: 'policy-failed', boundary: 'policy' },
      trajectory: { stopReason: 'policy-error' },
    });
    expect(end?.failedAttempts).toHaveLength(1);
  });

  it('to open a sandbox is unscored, with a trajectory that says so', async () => {
    const [end] = await collect(start({ ...one, openSandbox: failing('sandbox') }));
    expect(end).toMatchObject({
      outcome: { status: 'unscored', reason: 'sandbox-failed' },
      trajectory: { stopReason: 'sandbox-error', turns: [], error: 'sandbox: down' },
    });
  });

  it('to end a sandbox is a failure of the sandbox', async () => {
    const { open } = ledger();
    const openSandbox = async () => ({ ...(await open()), dispose: failing('sandbox') });
    const [end] = await collect(start({ ...one, openSandbox }));
    expect(end?.outcome).toMatchObject({
      status: 'unscored',
      reason: 'sandbox-failed',
      detail: expect.stringContaining('could not be disposed'),
    });
  });

  it.each([
    ['throws', () => Promise.reject(new Error('no report')), 'grader-failed', 2],
    ['fails', async () => unscored('grader-failed'), 'grader-failed', 2],
    ['finds the task invalid', async () => unscored('task-invalid'), 'task-invalid', 1],
  ] as const)('of a grader that %s is unscored after its attempts', async (_what, grade, reason, attempts) => {
    let calls = 0;
    const grader = graderOf(() => {
      calls += 1;
      return grade();
    });
    const [end] = await collect(start({ ...one, grader }));
    expect(end?.outcome).toMatchObject({ status: 'unscored', reason });
    expect(calls).toBe(attempts);
  });
});

describe('an early end', () => {
  it('by the signal throws aborted, yields no cut rollout and disposes every sandbox', async () => {
    const { state, open } = ledger();
    const controller = new AbortController();
    let asked = 0;
    const policy = policyOf(async ({ signal }) => {
      asked += 1;
      if (asked === 1) return answer;
      setImmediate(() => controller.abort());
      return untilAborted(signal);
    });
    const ends: RolloutEnd[] = [];
    const run = async () => {
      for await (const end of start({ openSandbox: open, policy, signal: controller.signal })) ends.push(end);
    };
    await expect(run()).rejects.toMatchObject({ code: 'aborted' });
    expect(ends.length).toBeLessThanOrEqual(1);
    expect(ends.every(({ outcome }) => outcome.status === 'scored')).toBe(true);
    expect(state.alive).toBe(0);
    expect(state.opened).toBe(state.disposed);
  });

  it('of the consumer stops the rollouts at work and disposes every sandbox', async () => {
    const { state, open } = ledger();
    let asked = 0;
    const policy = policyOf(async ({ signal }) => (asked++ === 0 ? answer : untilAborted(signal)));
    for await (const end of start({ openSandbox: open, policy })) {
      expect(end.outcome.status).toBe('scored');
      break;
    }
    expect(state.alive).toBe(0);
    expect(state.opened).toBeGreaterThan(1);
  });

  it('by a caller mistake throws it, with every sandbox disposed', async () => {
    const { state, open } = ledger();
    const openSandbox = (task: Task) =>
      task.data.id === 'a' ? open() : Promise.reject(new TadpoleError({ code: 'missing-dependency', message: 'no bwrap' }));
    const policy = policyOf(async ({ signal }) => untilAborted(signal));
    await expect(collect(start({ samplesPerTask: 1, openSandbox, policy }))).rejects.toMatchObject({ code: 'missing-dependency' });
    expect(state).toMatchObject({ opened: 1, disposed: 1 });
  });

  it.each(['samplesPerTask', 'concurrency', 'gradingConcurrency'])('is immediate for %s below 1', async (name) => {
    await expect(collect(start({ [name]: 0 }))).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringContaining(name) });
  });
});
