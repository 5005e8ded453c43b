import { type Task, type TestsVerifier, type Trajectory, taskDataSchema, trajectorySchema } from '@tadpole/contracts';

/** One tool call of a sample, and what it was answered. */
export interface SampleCall {
  readonly tool: string;
  /** An object is written as JSON; a string stands as the model wrote it. */
  readonly arguments: Readonly<Record<string, unknown>> | string;
  readonly observation?: string;
  /** Text that the assistant writes beside the call. */
  readonly message?: string;
}

/** A task and a trajectory on it, for rules to be tried on. */
export interface AuditSample {
  readonly name: string;
  readonly task: Task;
  readonly trajectory: Trajectory;
}

/**
 * Makes a sample from what matters to a rule: calls (one a turn), a final message and a patch. The task has hidden tests
 * in `test/index.test.js` and protects `test`.
 *
 * @throws ZodError when the parts do not make a valid task and trajectory.
 */
export function createAuditSample(options: {
  name: string;
  /** @default a sentence without examples */
  instruction?: string;
  calls?: readonly SampleCall[];
  /** Last message of the agent. @default 'Done.' */
  finalMessage?: string;
  /** @default '' */
  patch?: string;
  verifier?: Partial<TestsVerifier>;
}): AuditSample {
  const {
    name,
    instruction = 'Make the package behave as its documentation says.',
    calls = [],
    finalMessage = 'Done.',
    patch = '',
    verifier = {},
  } = options;
  const data = taskDataSchema.parse({
    id: 'sample',
    instruction,
    environment: { dependencies: [] },
    limits: {
      processes: 64,
      memoryBytes: 1e9,
      cpuSeconds: 60,
      timeoutMs: 60_000,
      fileBytes: 1e8,
      writtenBytes: 1e9,
      writtenFiles: 1e5,
      outputBytes: 1e6,
    },
    verifier: {
      kind: 'tests',
      runner: 'node-test',
      testFiles: ['test/index.test.js'],
      failToPass: ['test/index.test.js::works'],
      passToPass: [],
      protectedPaths: ['test'],
      timeoutMs: 60_000,
      ...verifier,
    },
    lineage: {
      kind: 'generated',
      generator: 'sample',
      operator: 'none',
      source: 'sample@1.0.0',
      licence: 'MIT',
      snapshotHash: '0',
      file: 'index.js',
      line: 1,
      statementRung: 'symptom',
    },
  });
  const usage = { promptTokens: 0, completionTokens: 0 };
  const turns = calls.map((call, index) => {
    const id = `call-${index}`;
    const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
    return {
      assistant: { role: 'assistant', content: call.message ?? '', toolCalls: [{ id, name: call.tool, arguments: text }] },
      observations: [{ role: 'tool', toolCallId: id, content: call.observation ?? '' }],
      usage,
      durationMs: 0,
    };
  });
  const trajectory = trajectorySchema.parse({
    id: 'sample-0',
    taskId: 'sample',
    policy: 'sample',
    sampling: { maxTokens: 1, seed: 0 },
    opening: [{ role: 'user', content: instruction }],
    turns: [...turns, { assistant: { role: 'assistant', content: finalMessage }, observations: [], usage, durationMs: 0 }],
    segments: [],
    segmentBreaks: 0,
    stopReason: 'agent',
    patch,
    usage,
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 0,
    harnessFingerprint: 'sample',
  });
  return { name, task: { data, directory: '/tasks/sample' }, trajectory };
}
