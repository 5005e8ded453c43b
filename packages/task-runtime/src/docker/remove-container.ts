import { setTimeout as sleep } from 'node:timers/promises';
import { TadpoleError } from '@tadpole/contracts';
import type Dockerode from 'dockerode';
import { withinTime } from './docker-engine.js';

const removeMs = 30_000;

/**
 * Kills and removes a container by id or name, and its anonymous volumes, until the engine no longer knows it.
 * @throws TadpoleError `sandbox` when it is still there after half a minute or the engine does not answer.
 */
export async function removeContainer(options: { docker: Dockerode; name: string }): Promise<void> {
  const container = options.docker.getContainer(options.name);
  const deadline = performance.now() + removeMs;
  let last: unknown;
  for (;;) {
    try {
      // Its first process ends at SIGKILL alone; without this, an engine may wait for a gentle end.
      await withinTime(
        container.kill({ signal: 'SIGKILL' }).catch(() => {}),
        removeMs,
      );
      await withinTime(container.remove({ force: true, v: true }), removeMs);
    } catch (error) {
      last = error;
    }
    const gone = await withinTime(container.inspect(), removeMs).then(
      () => false,
      (error: { statusCode?: number }) => {
        last = error;
        return error.statusCode === 404;
      },
    );
    if (gone) return;
    if (performance.now() > deadline) {
      const message = `expected to remove the container ${options.name}, got: ${(last as Error).message}`;
      throw new TadpoleError({ code: 'sandbox', message, cause: last });
    }
    await sleep(100);
  }
}
