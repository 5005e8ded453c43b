import type { RunResult, Sandbox } from '@tadpole/contracts';

/** Why a tree to grade could not be made: the patch's own fault, which scores 0, or another, which gives no score. */
export interface PreparationFailure {
  readonly by: 'patch' | 'grader';
  /** How the command that failed ended. */
  readonly result: RunResult;
}

const apply = 'git -c core.autocrlf=false -c core.hooksPath=/dev/null apply --whitespace=nowarn';

/** What git says of a patch that does not apply, and of everything that it dies of. */
const exits = { refused: 1, died: 128 } as const;

/**
 * Applies a patch to the working folder of a fresh sandbox, from standard input: no file holds it that could be unreadable
 * or lack room. A patch that does not apply and one that outgrows the sandbox's bounds are at fault themselves.
 *
 * @returns `undefined` once it is applied.
 */
export async function applyPatch(options: {
  sandbox: Sandbox;
  patch: string;
  timeoutMs?: number;
  signal?: AbortSignal;
}): Promise<PreparationFailure | undefined> {
  const { sandbox, patch, timeoutMs, signal } = options;
  if (patch === '') return undefined;
  const run = (command: string) => sandbox.run({ command, stdin: patch, env: { LC_ALL: 'C' }, timeoutMs, signal });
  const result = await run(apply);
  if (result.exitCode === 0) return undefined;
  if (result.exitCode === exits.refused || outgrew(result)) return { by: 'patch', result };
  // A text that is no patch is none for a second time, whatever the first left of the tree.
  const isNoPatch = result.exitCode === exits.died && (await run(`${apply} --check`)).exitCode === exits.died;
  return { by: isNoPatch ? 'patch' : 'grader', result };
}

/** Whether a command of ours ended for want of room in the sandbox's own bounded storage, or at its bound of a file. */
export function outgrew(result: RunResult): boolean {
  return /No space left on device|File too large|File size limit exceeded/.test(result.stderr);
}
