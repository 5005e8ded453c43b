import { spawn } from 'node:child_process';
import { TadpoleError } from '@tadpole/contracts';

/** The environment of a system program: where others like it are. */
export const systemEnvironment = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' } as const;

/**
 * Runs a trusted program of this machine with an explicit environment and no shell, and returns its standard output.
 * @throws TadpoleError `sandbox` with the program's message when it fails.
 */
export async function runProgram(options: {
  program: string;
  arguments: readonly string[];
  env?: Readonly<Record<string, string>>;
  cwd?: string;
  stdin?: Uint8Array;
}): Promise<Buffer> {
  const stdin = options.stdin === undefined ? 'ignore' : 'pipe';
  const child = spawn(options.program, options.arguments, {
    cwd: options.cwd ?? '/',
    env: options.env ?? {},
    stdio: [stdin, 'pipe', 'pipe'],
  });
  const out: Buffer[] = [];
  const error: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => error.push(chunk));
  child.stdin?.on('error', () => {});
  child.stdin?.end(options.stdin);
  const code = await new Promise<number | string | null>((resolve) => {
    child.once('error', (cause) => resolve(cause.message));
    child.once('close', (exit, signal) => resolve(exit ?? signal));
  });
  if (code === 0) return Buffer.concat(out);
  const said = Buffer.concat(error).toString('utf8').trim().slice(0, 1000);
  throw new TadpoleError({
    code: 'sandbox',
    message: `expected ${options.program} ${options.arguments[0] ?? ''} to succeed, got ${code}: ${said}`,
  });
}
