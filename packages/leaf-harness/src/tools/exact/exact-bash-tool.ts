import type { Tool } from '@tadpole/contracts';
import { bashDescription, bashInput } from '../bash-tool.js';
import { defineTool } from '../define-tool.js';
import { keepHead } from '../keep-head.js';

/** Longest wait of Node's timers. */
const LONGEST_MS = 2_147_483_647;

/**
 * Bash as the released Leaf has it: a login shell, the head of the whole output, times with one decimal, and
 * milliseconds without a maximum. What it had no answer to stays ours: a command's processes end with the call.
 */
export function createExactBashTool(options: { seconds: number; characters: number }): Tool<ReturnType<typeof bashInput>> {
  return defineTool({
    name: 'Bash',
    description: bashDescription(options.seconds),
    inputSchema: bashInput({ seconds: options.seconds, readMilliseconds: (value) => value / 1000 }),
    async execute({ command, timeout = options.seconds }, { sandbox, signal }) {
      const seconds = timeout > 1000 ? timeout / 1000 : timeout;
      const timeoutMs = Math.min(LONGEST_MS, Math.max(1, Math.round(seconds * 1000)));
      const result = await sandbox.run({ command: `exec /bin/bash -lc ${quoted(command)}`, timeoutMs, signal });
      const status = result.timedOut ? `Timed out after ${seconds.toFixed(1)}s` : `Exit code: ${result.exitCode}`;
      const streams = `STDOUT:\n${result.stdout.replace(/\n$/, '')}\nSTDERR:\n${result.stderr.replace(/\n$/, '')}`;
      return keepHead({ text: `${status}\n${streams}`, limit: options.characters });
    },
  });
}

/** A text as one word of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
