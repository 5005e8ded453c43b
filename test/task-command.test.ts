import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Certificate } from '@tadpole/contracts';
import { readTask } from '@tadpole/task-runtime';
import { hashHiddenFiles } from '@tadpole/taskpilot';
import { describe, expect, it } from 'vitest';
import { tadpole, temporaryFolder } from './tiny-recipe.js';

const clamp = fileURLToPath(new URL('../examples/tasks/clamp', import.meta.url));
const gold = readFileSync(join(clamp, 'solution/gold.patch'), 'utf8');
const fix = (line: string) => gold.replace('+  if (x < low) return low;', `+  ${line}`);

/** The example's task with a certificate that is true. */
async function certified(change: Partial<Certificate> = {}): Promise<string> {
  const directory = join(temporaryFolder(), 'clamp');
  cpSync(clamp, directory, { recursive: true });
  const { data } = await readTask(directory);
  const { hash } = await hashHiddenFiles({ directory: join(directory, 'tests/hidden'), hiddenPaths: ['test'] });
  const certificate: Certificate = {
    taskId: data.id,
    gates: [
      {
        name: 'fails-before',
        passed: true,
        evidence: { runs: 2, failToPass: ['test/clamp.test.js::a value inside the range stays'], suiteSize: 3 },
      },
      {
        name: 'wrong-fixes-fail',
        passed: true,
        evidence: {
          wrongFixes: [
            { patch: fix('if (x !== low) return low;'), outcome: 'failed test/clamp.test.js::a value inside the range stays' },
            { patch: fix('if (x < low) return (low);'), outcome: 'passed' },
          ],
        },
      },
      { name: 'other-fixes-pass', passed: true, evidence: { otherFixes: [{ patch: fix('if (low > x) return low;') }] } },
      { name: 'statement-gives-nothing-away', passed: true, evidence: { statement: data.instruction, rung: 'line' } },
    ],
    hiddenTestsHash: hash,
    calibration: {
      ...{ weightsVersion: 'w1', successes: 4, trials: 8, unscored: 1, posteriorMean: 0.5, posteriorInterval: [0.2, 0.8] },
      ...{ probabilityInBand: 0.7, band: [0.3, 0.7], rule: 'bayes' },
    },
    ...change,
  };
  writeFileSync(join(directory, 'certificate.json'), JSON.stringify(certificate));
  return directory;
}

describe('tadpole task verify', () => {
  it('does again what the certificate claims, and says that all of it holds', async () => {
    const { code, stdout } = await tadpole(['task', 'verify', await certified()]);
    expect(stdout.split('\n')).toEqual([
      'holds   the hidden files are those that were certified',
      'holds   run 1: an empty patch fails',
      'holds   run 2: an empty patch fails',
      'holds   run 1: the gold patch passes',
      'holds   run 2: the gold patch passes',
      'holds   wrong fix 1 fails',
      'holds   right fix 1 in another form passes',
      'holds   the statement is the one that was certified',
      'holds   the statement holds nothing of the fix',
      'holds   no other file holds the fix',
      expect.stringMatching(/all 10 checks hold$/),
      '',
    ]);
    expect(code).toBe(0);
  });

  it.each<[string, (directory: string) => void, RegExp]>([
    [
      'an edited hidden test',
      (directory) => appendFileSync(join(directory, 'tests/hidden/test/clamp.test.js'), '\n'),
      /hidden files are those/,
    ],
    [
      'a gold patch that fixes nothing',
      (directory) => writeFileSync(join(directory, 'solution/gold.patch'), fix('if (x >= low) return low;')),
      /gold patch passes/,
    ],
    [
      'a workspace that is solved',
      (directory) => cpSync(join(directory, 'solution/solved.js'), join(directory, 'environment/workspace/src/clamp.js')),
      /empty patch fails/,
    ],
    [
      'a copy of the answer',
      (directory) => cpSync(join(directory, 'solution/solved.js'), join(directory, 'environment/workspace/old.js')),
      /no other file/,
    ],
    [
      'a statement with the fix',
      (directory) => appendFileSync(join(directory, 'instruction.md'), '\nif (x < low) return low;'),
      /holds nothing of the fix/,
    ],
    [
      'a statement that is another',
      (directory) => writeFileSync(join(directory, 'instruction.md'), 'Do nothing.'),
      /^the statement is the one that was certified$/,
    ],
  ])('finds %s and ends with exit code 1', async (_, spoil, message) => {
    const directory = await certified();
    const buggy = readFileSync(join(directory, 'environment/workspace/src/clamp.js'), 'utf8');
    writeFileSync(join(directory, 'solution/solved.js'), buggy.replace('x > low', 'x < low'));
    spoil(directory);
    const { code, stdout } = await tadpole(['task', 'verify', '--json', directory]);
    const { holds, checks } = JSON.parse(stdout) as { holds: boolean; checks: { what: string; holds: boolean }[] };
    expect(holds).toBe(false);
    expect(
      checks
        .filter((check) => !check.holds)
        .map(({ what }) => what)
        .join(),
    ).toMatch(message);
    expect(code).toBe(1);
  });

  it('refuses a folder without a certificate, one of another task, and one that is no task', async () => {
    const bare = await certified();
    rmSync(join(bare, 'certificate.json'));
    for (const directory of [bare, await certified({ taskId: 'other' }), temporaryFolder()])
      expect((await tadpole(['task', 'verify', directory])).code).toBe(2);
  });
});

describe('tadpole task explain', () => {
  it('says in words why a task was admitted', async () => {
    const { code, stdout } = await tadpole(['task', 'explain', await certified()]);
    expect(code).toBe(0);
    expect(stdout).toContain(
      'Without a fix 1 of 3 tests fail, the same ones in 2 runs: test/clamp.test.js::a value inside the range stays.',
    );
    expect(stdout).toContain('Of 2 wrong fixes that were tried, 1 fail.');
    expect(stdout).toContain('The policy w1 solved it in 4 of 8 scored rollouts (1 more gave no score)');
  });

  it('says why a candidate of a run was refused, and refuses one that the run does not name', async () => {
    const run = temporaryFolder();
    const event = {
      type: 'candidate-refuse',
      at: 't',
      iteration: 0,
      candidateId: 'c1',
      strategy: 'mutation-logic',
      operator: 'flip',
      source: 'a@1',
      reason: 'not-killed',
      detail: 'all 9 tests passed',
    };
    const discarded = {
      ...{ type: 'candidate-discard', at: 't', iteration: 0, taskId: 't1', strategy: 'mutation-logic', source: 'a@1' },
      ...{ reason: 'never-solved', detail: '0 of 8 solved' },
    };
    writeFileSync(join(run, 'journal.jsonl'), [event, discarded].map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { stdout } = await tadpole(['task', 'explain', run, 'c1']);
    expect(stdout).toBe('c1, made by flip from a@1, was refused. The gate "not killed" did not hold: all 9 tests passed.\n');
    expect((await tadpole(['task', 'explain', run, 't1'])).stdout).toBe(
      't1, made by mutation-logic from a@1, was not admitted (never solved): 0 of 8 solved.\n',
    );
    expect((await tadpole(['task', 'explain', run, 'c2'])).code).toBe(2);
  });
});
