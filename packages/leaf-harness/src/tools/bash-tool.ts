import type { RunResult, Tool, ToolContext } from '@tadpole/contracts';
import { z } from 'zod';
import { acceptAliases } from './accept-aliases.js';
import { defineTool } from './define-tool.js';
import { keepHeadAndTail } from './keep-head-and-tail.js';
import { parseLeafCaps } from './leaf-caps.js';
import { spillOutput } from './spill-output.js';

/** Above this a timeout is taken as milliseconds, so no command gets more seconds than this. */
const MAX_SECONDS = 1000;

/** What both profiles' Bash takes. */
export function bashInput(options: { seconds: number; readMilliseconds: (milliseconds: number) => number }) {
  const { readMilliseconds } = options;
  return z.preprocess(
    acceptAliases({
      timeout_ms: { name: 'timeout', convert: (value) => (typeof value === 'number' ? readMilliseconds(value) : value) },
    }),
    z.object({
      command: z.string().min(1).describe('The command.'),
      description: z.string().optional().describe('What the command is for, in a few words.'),
      timeout: z
        .number()
        .positive()
        .optional()
        .describe(
          `Seconds after which the command is stopped. Default: ${options.seconds}. Maximum: ${MAX_SECONDS}; a larger number is taken as milliseconds.`,
        ),
    }),
  );
}

/** What both profiles' Bash says of itself. */
export function bashDescription(seconds: number): string {
  return `Runs a bash command in the repository and returns its exit code, standard output and standard error. Every call is a fresh shell without state from earlier calls and without input. It is stopped after ${seconds} seconds unless timeout says otherwise (at most ${MAX_SECONDS} seconds).`;
}

/**
 * Bash: runs a command in a fresh shell and returns its exit code and both streams (frognano.md section 2.2).
 * `timeout` is in seconds, 1,000 at most; a larger number is taken as milliseconds. The two streams share the
 * characters, and each keeps its head and tail; an output that is shortened is kept whole in a file that Read can read.
 */
export function createBashTool(
  options: {
    /** @default 120 */
    seconds?: number;
    /** @default 30_000 */
    characters?: number;
    /** Folder of the sandbox, outside the workspace, for outputs that were shortened. @default '/tmp' */
    outputFolder?: string;
  } = {},
): Tool<ReturnType<typeof bashInput>> {
  const { bashSeconds, bashCharacters } = parseLeafCaps({ bashSeconds: options.seconds, bashCharacters: options.characters });
  return defineTool({
    name: 'Bash',
    description: bashDescription(bashSeconds),
    inputSchema: bashInput({ seconds: bashSeconds, readMilliseconds: (value) => Math.min(value / 1000, MAX_SECONDS) }),
    async execute({ command, timeout = bashSeconds }, context) {
      const seconds = timeout > MAX_SECONDS ? Math.min(timeout / 1000, MAX_SECONDS) : timeout;
      const timeoutMs = Math.max(1, Math.round(seconds * 1000));
      const result = await context.sandbox.run({ command, timeoutMs, signal: context.signal });
      return describeResult({ result, timeoutMs, characters: bashCharacters, folder: options.outputFolder ?? '/tmp', context });
    },
  });
}

async function describeResult(options: {
  result: RunResult;
  timeoutMs: number;
  characters: number;
  folder: string;
  context: ToolContext;
}): Promise<string> {
  const { result, characters } = options;
  const stdout = result.stdout.replace(/\n$/, '');
  const stderr = result.stderr.replace(/\n$/, '');
  const half = Math.floor(characters / 2);
  const shortened = [
    keepHeadAndTail({ text: stdout, limit: Math.max(half, characters - stderr.length) }),
    keepHeadAndTail({ text: stderr, limit: Math.max(half, characters - stdout.length) }),
  ] as const;
  const streams = (texts: readonly [string, string]) => `STDOUT:\n${texts[0]}\nSTDERR:\n${texts[1]}`;
  const isWhole = shortened[0] === stdout && shortened[1] === stderr;
  const path = isWhole ? undefined : await spillOutput({ ...options, text: streams([stdout, stderr]) });
  return [
    result.timedOut ? `Timed out after ${secondsText(options.timeoutMs)}` : `Exit code: ${result.exitCode}`,
    streams(shortened),
    ...(path === undefined ? [] : [`[not shortened: ${path}]`]),
    ...(result.droppedBytes > 0 ? [`[the sandbox dropped ${result.droppedBytes} bytes of output]`] : []),
  ].join('\n');
}

/** One decimal as Leaf prints it, and as many as a shorter time needs: `2.0s`, `0.25s`, `0.001s`. */
function secondsText(milliseconds: number): string {
  return milliseconds % 100 === 0 ? `${(milliseconds / 1000).toFixed(1)}s` : `${milliseconds / 1000}s`;
}
