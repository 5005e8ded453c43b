import type { RunResult } from '@tadpole/contracts';
import { z } from 'zod';
import { acceptAliases } from './accept-aliases.js';
import { defineTool } from './define-tool.js';
import { keepHeadAndTail } from './keep-head-and-tail.js';

const OUTPUT_CHARS = 30_000;
const DEFAULT_SECONDS = 120;
/** Above this a timeout is taken as milliseconds, so no command gets more seconds than this. */
const MAX_SECONDS = 1000;

/**
 * Bash: runs a command in a fresh shell and returns its exit code and both streams (frognano.md section 2.2).
 * `timeout` is in seconds, 120 by default and 1,000 at most; a larger number is taken as milliseconds.
 * The 30,000 characters are shared by the two streams, and each keeps its head and tail.
 */
export const bashTool = defineTool({
  name: 'Bash',
  description:
    'Runs a bash command in the repository and returns its exit code, standard output and standard error. Every call is a fresh shell without state from earlier calls and without input. It is stopped after 120 seconds unless timeout says otherwise (at most 1000 seconds).',
  inputSchema: z.preprocess(
    acceptAliases({
      timeout_ms: { name: 'timeout', convert: (value) => (typeof value === 'number' ? Math.min(value / 1000, MAX_SECONDS) : value) },
    }),
    z.object({
      command: z.string().min(1).describe('The command.'),
      description: z.string().optional().describe('What the command is for, in a few words.'),
      timeout: z.number().positive().optional().describe('Seconds after which the command is stopped. Default: 120.'),
    }),
  ),
  async execute({ command, timeout = DEFAULT_SECONDS }, context) {
    const seconds = timeout > MAX_SECONDS ? Math.min(timeout / 1000, MAX_SECONDS) : timeout;
    const timeoutMs = Math.max(1, Math.round(seconds * 1000));
    return formatResult(await context.sandbox.run({ command, timeoutMs, signal: context.signal }), timeoutMs);
  },
});

function formatResult(result: RunResult, timeoutMs: number): string {
  const stdout = result.stdout.replace(/\n$/, '');
  const stderr = result.stderr.replace(/\n$/, '');
  const half = Math.floor(OUTPUT_CHARS / 2);
  return [
    result.timedOut ? `Timed out after ${(timeoutMs / 1000).toFixed(1)}s` : `Exit code: ${result.exitCode}`,
    'STDOUT:',
    keepHeadAndTail({ text: stdout, limit: Math.max(half, OUTPUT_CHARS - stderr.length) }),
    'STDERR:',
    keepHeadAndTail({ text: stderr, limit: Math.max(half, OUTPUT_CHARS - stdout.length) }),
    ...(result.droppedBytes > 0 ? [`[the sandbox dropped ${result.droppedBytes} bytes of output]`] : []),
  ].join('\n');
}
