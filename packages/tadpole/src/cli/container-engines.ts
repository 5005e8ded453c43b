import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Containment } from '@tadpole/contracts';
import { createDockerProvider, dockerEngineVersion } from '@tadpole/task-runtime';
import type { Check } from './check.js';

/** Sockets at which container engines listen, the one that the environment names first. */
export function engineSockets(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const { DOCKER_HOST = '', XDG_RUNTIME_DIR } = environment;
  const named = DOCKER_HOST.startsWith('unix://') ? [DOCKER_HOST.slice('unix://'.length)] : [];
  const usual = [
    '/var/run/docker.sock',
    '/run/podman/podman.sock',
    ...(XDG_RUNTIME_DIR ? [join(XDG_RUNTIME_DIR, 'podman/podman.sock')] : []),
  ];
  return [...new Set([...named, ...usual.filter((socket) => existsSync(socket))])];
}

/** Which container engines answer. None is needed, so none missing is a fault of this machine. */
export async function checkEngines(sockets: readonly string[]): Promise<readonly Check[]> {
  if (sockets.length === 0) return [{ name: 'container engine', ok: true, detail: engineHint('no socket of dockerd or podman here') }];
  return Promise.all(
    sockets.map(async (socketPath) => {
      const detail = await dockerEngineVersion({ socketPath }).catch((error: Error) => engineHint(error.message));
      return { name: 'container engine', ok: true, detail };
    }),
  );
}

/** What the container provider enforces over an engine and an image. @throws TadpoleError `missing-dependency`, `sandbox`. */
export function describeEngine(options: { socketPath: string; image: string; scratchDirectory: string }): Promise<Containment> {
  const { socketPath, image, scratchDirectory } = options;
  return createDockerProvider({ image, scratchDirectory, engines: [{ socketPath }] }).describe();
}

function engineHint(problem: string): string {
  const inside = existsSync('/.dockerenv') || existsSync('/run/.containerenv');
  const nested = inside ? ' (this is itself a container: mount the socket of its engine into it)' : '';
  return `${problem}${nested}; not needed, the embedded sandbox does without`;
}
