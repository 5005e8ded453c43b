import { readdirSync, readFileSync } from 'node:fs';
import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SandboxLimits, Trajectory } from '@tadpole/contracts';
import { leafProfile, replay, rollOut, runAgent } from '@tadpole/leaf-harness';
import { type ScriptedStep, scriptedPolicy } from '@tadpole/leaf-harness/testing';
import { createDependencyStore, createGrader, createNamespaceProvider, createTaskOpener, readTask, taskHash } from '@tadpole/task-runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// What the Leaf loop and the contained sandbox must do together.

const limits: SandboxLimits = {
  ...{ processes: 64, memoryBytes: 2 ** 29, cpuSeconds: 10, timeoutMs: 20_000 },
  ...{ fileBytes: 2 ** 23, writtenBytes: 2 ** 23, writtenFiles: 5_000, outputBytes: 2 ** 16 },
};
let folder: string;
let provider: ReturnType<typeof createNamespaceProvider>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tadpole-leaf-'));
  provider = createNamespaceProvider({ scratchDirectory: join(folder, 'scratch') });
});
afterAll(async () => {
  await provider.disposeAll();
  await rm(folder, { recursive: true, force: true });
});
const environment = { workspace: fileURLToPath(new URL('./fixtures/pond', import.meta.url)) };
const open = () => provider.open({ environment, limits });

const bash = (command: string, more: object = {}) => ({ name: 'Bash', arguments: { command, ...more } });
const write = (path: string, content: string) => ({ name: 'Write', arguments: { file_path: path, content } });

async function play(steps: ScriptedStep[]): Promise<Trajectory> {
  const sandbox = await open();
  const policy = scriptedPolicy(steps);
  const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 100, seed: 1 };
  const run = runAgent({ ...leafProfile(), id: 'r', taskId: 't', instruction: 'i', policy, sandbox, sampling, now: Date.now });
  try {
    for (;;) {
      const next = await run.next();
      if (next.done === true) return next.value;
    }
  } finally {
    await sandbox.dispose();
  }
}
const answers = (trajectory: Trajectory) => trajectory.turns.flatMap(({ observations }) => observations.map(({ content }) => content));

/** Processes of this machine that were started with a word. */
const processesWith = (word: string) =>
  readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && Number(name) !== process.pid && readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').includes(word);
    } catch {
      return false;
    }
  });

describe('the Leaf loop in a contained sandbox', () => {
  it('tells the agent that space ran out, goes on, and keeps the patch', async () => {
    const steps = [
      { toolCalls: [write('b.txt', 'two\n'), bash('for n in 1 2 3 4; do head -c 5M /dev/zero > big$n || exit 7; done')] },
      { toolCalls: [write('c.txt', 'x'.repeat(2 ** 22))] },
      { toolCalls: [bash('rm -f big* c.txt'), write('d.txt', 'four\n')] },
      { content: 'Done.' },
    ];
    const trajectory = await play(steps);
    const [first, filled, refused, , last] = answers(trajectory);
    expect(first).toBe('Wrote b.txt (4 bytes).');
    expect(filled).toContain('No space left on device');
    expect(refused).toMatch(/c\.txt/);
    expect(refused).toMatch(/ENOSPC|No space left/);
    expect(last).toBe('Wrote d.txt (5 bytes).');
    expect(trajectory.stopReason).toBe('agent');
    expect(trajectory.patch).toContain('+two');
    expect(trajectory.patch).toContain('+four');
  });

  it('keeps a shortened output where a later call of Read finds it, outside the patch', async () => {
    const sandbox = await open();
    const [, , , , bashTool] = leafProfile().tools;
    const text = await bashTool!.execute({ command: 'seq 1 9000' } as never, { sandbox });
    const [, path] = /\[not shortened: (.*)\]$/.exec(text)!;
    const [readTool] = leafProfile().tools;
    expect(await readTool!.execute({ file_path: path, offset: 4501, limit: 1 } as never, { sandbox })).toBe(`${path}\n4501. 4500`);
    expect(await sandbox.diff()).toBe('');
    await sandbox.dispose();
  });

  it('leaves no process of a call: neither of one that ran out of time nor of one in the background', async () => {
    const trajectory = await play([
      { toolCalls: [bash('setsid nohup sleep 86399.1 & sleep 86399.2', { timeout: 1 })] },
      { toolCalls: [bash('setsid nohup sleep 86399.3 >/dev/null 2>&1 & echo hi')] },
      {},
    ]);
    expect(answers(trajectory)[0]).toMatch(/^Timed out after 1\.0s/);
    expect(answers(trajectory)[1]).toBe('Exit code: 0\nSTDOUT:\nhi\nSTDERR:\n');
    expect(['86399.1', '86399.2', '86399.3'].flatMap(processesWith)).toEqual([]);
  });

  it('is replayed in a fresh sandbox to the same answers and the same patch, and shows where another base differs', async () => {
    const recorded = await play([
      {
        toolCalls: [
          { name: 'Glob', arguments: { pattern: '**/*.txt' } },
          { name: 'Read', arguments: { file_path: 'a.txt' } },
        ],
      },
      { toolCalls: [write('n/b.txt', 'ü\n'), bash('wc -c n/b.txt; seq 1 20000 | tail -n 1')] },
      {},
    ]);
    const { tools } = leafProfile();
    const same = await open();
    expect(await replay({ recorded, tools, sandbox: same })).toEqual({ compared: 4, uncompared: [] });
    await same.dispose();
    const other = await open();
    await other.writeFile('more.txt', '');
    expect((await replay({ recorded, tools, sandbox: other })).divergence).toMatchObject({ turn: 0, call: 0, got: 'a.txt\nmore.txt' });
    await other.dispose();
  });
});

describe('a journal of rollouts', () => {
  it('is not taken for one of a task whose hidden tests were edited under the same id', async () => {
    const directory = join(folder, 'clamp');
    await cp(fileURLToPath(new URL('../examples/tasks/clamp', import.meta.url)), directory, { recursive: true });
    const nodeModules = fileURLToPath(new URL('../node_modules', import.meta.url));
    const dependencyStore = createDependencyStore({ nodeModules, into: join(folder, 'dependencies') });
    const finished = new Set<string>();
    const rolledOut = async () => {
      const keys: string[] = [];
      const ends = rollOut({
        ...leafProfile(),
        tasks: [await readTask(directory)],
        samplesPerTask: 1,
        hashTask: taskHash,
        purpose: 'evaluation',
        policy: scriptedPolicy([{ content: 'Done.' }]),
        weightsVersion: 'none',
        openSandbox: createTaskOpener({ provider, dependencyStore }),
        grader: createGrader({ provider, dependencyStore }),
        sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 100 },
        seedFor: () => 1,
        journal: { has: (key) => finished.has(key), append: ({ key }) => void finished.add(key) },
        ...{ concurrency: 1, gradingConcurrency: 1, now: Date.now },
      });
      for await (const { key } of ends) keys.push(key);
      return keys;
    };
    const first = await rolledOut();
    expect(first).toHaveLength(1);
    expect(await rolledOut()).toEqual([]);
    const [hidden] = readdirSync(join(directory, 'tests/hidden'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.js'),
    );
    await appendFile(join(directory, 'tests/hidden', hidden!), '\n// edited\n');
    const second = await rolledOut();
    expect(second).toHaveLength(1);
    expect(second).not.toEqual(first);
  });
});
