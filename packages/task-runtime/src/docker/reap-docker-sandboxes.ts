import { isOrphan, sandboxLabel } from './container-labels.js';
import { connectEngine, type DockerEngine } from './docker-engine.js';
import { removeContainer } from './remove-container.js';

/**
 * Removes containers of sandboxes whose owner process on this machine is gone, such as after `kill -9`. Those of living
 * owners and of other machines stay untouched.
 *
 * @returns the names of the removed containers.
 * @throws TadpoleError `missing-dependency` when an engine does not answer, `sandbox` when a container cannot be removed.
 */
export async function reapDockerSandboxes(options: { engines: readonly DockerEngine[] }): Promise<readonly string[]> {
  const reaped: string[] = [];
  for (const engine of options.engines) {
    const { docker } = await connectEngine(engine);
    for (const container of await docker.listContainers({ all: true, filters: { label: [sandboxLabel] } })) {
      if (!isOrphan(container.Labels)) continue;
      await removeContainer({ docker, name: container.Id });
      reaped.push(container.Names[0]?.replace(/^\//, '') ?? container.Id);
    }
  }
  return reaped;
}
