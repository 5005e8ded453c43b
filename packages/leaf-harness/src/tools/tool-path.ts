import type { ToolContext } from '@tadpole/contracts';

/** Where the workspace appears inside a sandbox unless its environment says otherwise (contracts, `SandboxEnvironment`). */
const WORKSPACE_PATH = '/workspace';

/** A path as the sandbox takes it: a leading `~` becomes the sandbox user's home folder. */
export async function expandHome(path: string, context: ToolContext): Promise<string> {
  if (path !== '~' && !path.startsWith('~/')) return path;
  const { stdout } = await context.sandbox.run({ command: 'printf %s "$HOME"', signal: context.signal });
  return `${stdout}${path.slice(1)}`;
}

/** A path as observations print it: relative to the workspace where it lies inside. */
export function displayPath(path: string): string {
  const inside = path.startsWith(`${WORKSPACE_PATH}/`) ? path.slice(WORKSPACE_PATH.length + 1) : path;
  return inside.replace(/^(?:\.\/+)+(?=.)/, '');
}
