import type { Outcome, Trajectory, Turn } from '@tadpole/contracts';

/** What a fixture's trajectory is about. */
export interface FixtureTrajectory {
  readonly id: string;
  readonly taskId: string;
  readonly policy: string;
  readonly seed: number;
  readonly solved: boolean;
  /** Text that a hostile model and repository would write wherever they can. */
  readonly hostileText: string;
  /** With a turn that reads a hidden test. */
  readonly cheats: boolean;
}

const badLine = '  if (start >= end) return [];';
const goodLine = '  if (start > end) return [];';

/** A trajectory as the agent loop records it: Read, Edit, perhaps a forbidden Bash, and an answer. */
export function fixtureTrajectory(options: FixtureTrajectory): Trajectory {
  const { id, taskId, policy, seed, solved, hostileText } = options;
  const edit = {
    file_path: 'lib/range.js',
    old_string: badLine,
    new_string: solved ? goodLine : `  if (end < 0) return [];${hostileText}`,
  };
  const turns = [
    turn({
      number: 0,
      name: 'Read',
      input: { file_path: 'lib/range.js', offset: 10, limit: 8 },
      observation: `    12\t${badLine}\n    13\t  const out = [];${hostileText}`,
    }),
    ...(options.cheats
      ? [
          turn({
            number: 1,
            name: 'Bash',
            input: { command: `cat test/range.test.js ${hostileText}` },
            observation: 'Exit code: 0\nSTDOUT:\nassert.equal(range(2, 1), 1)',
          }),
        ]
      : []),
    turn({ number: 2, name: 'Edit', input: edit, observation: 'Edited lib/range.js (1 replacement).' }),
    {
      ...turn({ number: 3, name: 'Read', input: {}, observation: '' }),
      assistant: { role: 'assistant' as const, content: `Done. ${hostileText}`, toolCalls: [] },
      observations: [],
    },
  ];
  const sampled = turns.length * 20;
  return {
    id,
    taskId,
    policy,
    sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 96, seed },
    opening: [
      { role: 'system', content: 'You are a software engineering agent.' },
      { role: 'user', content: `lib/range.js lines 8-16: range(2, 2) expected [2], got []. Line 12 is wrong. ${hostileText}` },
    ],
    turns,
    segments: [
      { ids: Array(sampled).fill(7), mask: Array(sampled).fill(true), logprobs: Array(sampled).fill(-0.25), weightsVersions: [policy] },
    ],
    segmentBreaks: 0,
    stopReason: 'agent',
    patch: `diff --git a/lib/range.js b/lib/range.js\n--- a/lib/range.js\n+++ b/lib/range.js\n@@ -12,1 +12,1 @@\n-${badLine}\n+${edit.new_string}\n`,
    usage: { promptTokens: 400 * turns.length, completionTokens: sampled },
    startedAt: '2026-03-01T09:00:00.000Z',
    durationMs: 1850,
    harnessFingerprint: 'fixture-fingerprint',
  };
}

/** An outcome about which nothing can be said. */
export function fixtureUnscored(options: { hostileText: string }): Outcome {
  return { status: 'unscored', reason: 'sandbox-failed', boundary: 'sandbox', detail: `the sandbox died${options.hostileText}` };
}

/** How that trajectory is graded. */
export function fixtureOutcome(options: { solved: boolean; hostileText: string }): Outcome {
  const tests = [
    { id: 'test/range.test.js::ascends', file: 'test/range.test.js', name: 'ascends', status: 'passed' as const },
    options.solved
      ? { id: 'test/range.test.js::single', file: 'test/range.test.js', name: 'single', status: 'passed' as const }
      : {
          id: 'test/range.test.js::single',
          file: 'test/range.test.js',
          name: 'single',
          status: 'failed' as const,
          message: `expected [] to equal [ 2 ] ${options.hostileText}`,
          expected: '[ 2 ]',
          observed: '[]',
          kind: 'assertion' as const,
        },
  ];
  return { status: 'scored', reward: options.solved ? 1 : 0, components: {}, tests };
}

function turn(options: { number: number; name: string; input: object; observation: string }): Turn {
  const id = `call-${options.number}`;
  return {
    assistant: { role: 'assistant', content: '', toolCalls: [{ id, name: options.name, arguments: JSON.stringify(options.input) }] },
    observations: [{ role: 'tool', toolCallId: id, content: options.observation }],
    usage: { promptTokens: 400, completionTokens: 20 },
    durationMs: 450,
  };
}
