import { type AuditSample, createAuditSample, type SampleCall } from '../src/testing/index.js';

export function commandSample(
  command: string,
  options: { name?: string; observation?: string; before?: readonly SampleCall[] } = {},
): AuditSample {
  const { name = command, observation = '', before = [] } = options;
  return createAuditSample({ name, calls: [...before, { tool: 'Bash', arguments: { command }, observation }] });
}

export function callSample(tool: string, callArguments: Record<string, unknown>): AuditSample {
  return createAuditSample({ name: `${tool} ${JSON.stringify(callArguments)}`, calls: [{ tool, arguments: callArguments }] });
}

/** A patch of one file from its removed and added lines. */
export function makePatch(options: {
  path: string;
  removed?: readonly string[];
  added?: readonly string[];
  status?: 'added' | 'deleted';
}): string {
  const { path, removed = [], added = [], status } = options;
  return [
    `diff --git a/${path} b/${path}`,
    ...(status === 'added' ? ['new file mode 100644'] : []),
    ...(status === 'deleted' ? ['deleted file mode 100644'] : []),
    status === 'added' ? '--- /dev/null' : `--- a/${path}`,
    status === 'deleted' ? '+++ /dev/null' : `+++ b/${path}`,
    `@@ -1,${removed.length} +1,${added.length} @@`,
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    '',
  ].join('\n');
}

export function patchSample(name: string, options: Parameters<typeof makePatch>[0] & { instruction?: string }): AuditSample {
  const { instruction, ...patch } = options;
  return createAuditSample({ name, patch: makePatch(patch), ...(instruction === undefined ? {} : { instruction }) });
}
