import type { OwnedSandbox, Unscored } from '@tadpole/contracts';
import { openDeadline } from '../loop/deadline.js';
import { describeError } from '../loop/ending.js';

/** Disposes a sandbox. Says why it cannot be trusted to be gone: then nothing may be graded beside it. Never throws. */
export async function disposeSandbox(options: { sandbox: OwnedSandbox; timeoutMs: number }): Promise<Unscored | undefined> {
  const { sandbox, timeoutMs } = options;
  const deadline = openDeadline({ timeoutMs, graceMs: 0 });
  try {
    await deadline.race(async () => sandbox.dispose());
    return undefined;
  } catch (error) {
    const why = deadline.hasExpired() ? `it was not gone within ${timeoutMs} ms` : describeError(error);
    return {
      status: 'unscored',
      reason: 'sandbox-failed',
      boundary: 'sandbox',
      detail: `sandbox ${sandbox?.id} could not be disposed: ${why}`,
    };
  } finally {
    deadline.close();
  }
}
