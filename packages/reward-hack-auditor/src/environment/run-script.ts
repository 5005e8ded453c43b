import { type Sandbox, TadpoleError } from '@tadpole/contracts';

/** Longest wall time of one probe. */
const timeoutMs = 60_000;

/**
 * Lines that a bash script prints, without empty ones. A command of it that fails is the script's own affair.
 *
 * @throws TadpoleError `sandbox` when its time ran out: what was not looked at is not safe.
 */
export async function runScript(options: {
  sandbox: Sandbox;
  script: string;
  stdin?: string;
  env?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
}): Promise<readonly string[]> {
  const { sandbox, script, stdin, env, signal } = options;
  const { timedOut, stdout } = await sandbox.run({
    command: script,
    timeoutMs,
    ...(stdin === undefined ? {} : { stdin }),
    ...(env === undefined ? {} : { env }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (timedOut) {
    throw new TadpoleError({ code: 'sandbox', message: `Expected a probe of the environment to end within ${timeoutMs} ms; it did not.` });
  }
  return stdout.split('\n').filter((line) => line.trim() !== '');
}
