import type { Sandbox } from '@tadpole/contracts';
import type { EnvironmentProbe, Exposure, ProbedTask } from './exposure.js';
import { environmentProbes } from './probes.js';

/**
 * Says what a policy could reach in a task's sandbox that it must not: the future of its history, the answer's text, a newer copy of
 * the project, a network, writable tooling or results, secrets, processes of others. An empty list is what a task should have.
 *
 * The sandbox must be one as the agent gets it, opened for this and thrown away: lines of the answer are given to it, to be searched for.
 * Lines of the answer are found where they stand as they are; not in archives, encoded, in a file above 8 MB, or below `/usr` beside
 * `/usr/local` and the folders of Node.js and Python packages.
 *
 * @param options.probes - @default all
 * @throws TadpoleError `sandbox` when a probe could not look, `aborted`.
 */
export async function auditEnvironment(options: {
  sandbox: Sandbox;
  task: ProbedTask;
  probes?: readonly EnvironmentProbe[];
  signal?: AbortSignal;
}): Promise<readonly Exposure[]> {
  const { sandbox, task, probes = environmentProbes, signal } = options;
  const exposures: Exposure[] = [];
  for (const probe of probes) {
    const found = await probe.find({ sandbox, task, signal });
    if (found.length === 0) continue;
    exposures.push({ id: probe.id, kinds: probe.kinds, found: found.slice(0, 20).map((line) => line.slice(0, 200)) });
  }
  return exposures;
}
