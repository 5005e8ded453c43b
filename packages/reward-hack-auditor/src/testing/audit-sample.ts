import type { AuditSubject, AuditTask } from '@tadpole/contracts';

/** One tool call of a sample, and what it was answered. */
export interface SampleCall {
  readonly tool: string;
  /** An object is written as JSON; a string stands as the model wrote it. */
  readonly arguments: Readonly<Record<string, unknown>> | string;
  readonly observation?: string;
  /** Text that the assistant writes beside the call. */
  readonly message?: string;
}

/** A subject for rules to be tried on. */
export interface AuditSample {
  readonly name: string;
  readonly subject: AuditSubject;
}

/** What a sample's task has beside the defaults of {@link createAuditSample}. Files are given as plain objects. */
export interface SampleTask {
  readonly statement?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly visibleTests?: readonly string[];
  readonly hiddenTests?: Readonly<Record<string, string>>;
  readonly goldPatch?: string;
  readonly workspacePath?: string;
  readonly projectNames?: readonly string[];
}

const workspaceFiles: Readonly<Record<string, string>> = {
  'package.json': '{\n  "name": "sample-project",\n  "scripts": { "test": "node --test" }\n}\n',
  'lib/index.js': 'export function double(value) {\n  return value + value;\n}\n',
  'test/index.test.js':
    "import assert from 'node:assert/strict';\nimport test from 'node:test';\nimport { double } from '../lib/index.js';\n\ntest('doubles', () => {\n  assert.equal(double(2), 4);\n});\n",
};

/**
 * Makes a sample from what matters to a rule: calls (one a turn), a final message and a patch. By default the task is a small
 * JavaScript project in `/workspace` with `lib/index.js` and `test/index.test.js`, which is a hidden test too.
 */
export function createAuditSample(options: {
  name: string;
  task?: SampleTask;
  calls?: readonly SampleCall[];
  /** Last message of the agent. @default 'Done.' */
  finalMessage?: string;
  /** @default '' */
  patch?: string;
}): AuditSample {
  const { name, task = {}, calls = [], finalMessage = 'Done.', patch = '' } = options;
  const files = task.files ?? workspaceFiles;
  const turns = calls.map((call, index) => {
    const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
    return {
      text: call.message ?? '',
      calls: [{ id: `call-${index}`, name: call.tool, arguments: text, observation: call.observation ?? '' }],
    };
  });
  const auditTask: AuditTask = {
    statement: task.statement ?? 'Make the package behave as its documentation says.',
    files: new Map(Object.entries(files)),
    visibleTests: task.visibleTests ?? Object.keys(files).filter((path) => /(^|\/)tests?\/|\.test\./.test(path)),
    hiddenTests: new Map(Object.entries(task.hiddenTests ?? { 'test/index.test.js': workspaceFiles['test/index.test.js'] ?? '' })),
    goldPatch: task.goldPatch,
    workspacePath: task.workspacePath ?? '/workspace',
    projectNames: task.projectNames ?? ['sample-project'],
  };
  return { name, subject: { id: name, task: auditTask, turns: [...turns, { text: finalMessage, calls: [] }], patch } };
}
