import { TadpoleError } from '@tadpole/contracts';
import type Dockerode from 'dockerode';

/** Where a container engine listens: Docker's API, by dockerd or podman. */
export interface DockerEngine {
  /** Unix socket, such as `/var/run/docker.sock` or `/run/podman/podman.sock`. */
  readonly socketPath?: string;
  /** Host name of an engine that listens on TCP. */
  readonly host?: string;
  /** @default 2375 */
  readonly port?: number;
  /** @default 'http' */
  readonly protocol?: 'http' | 'https';
  /** Certificates in PEM for `https`. */
  readonly ca?: string;
  /** See {@link DockerEngine.ca}. */
  readonly cert?: string;
  /** See {@link DockerEngine.ca}. */
  readonly key?: string;
}

/** An engine that answered. */
export interface ConnectedEngine {
  /** For people. */
  readonly name: string;
  readonly docker: Dockerode;
  /** Podman takes fewer mount options. */
  readonly isPodman: boolean;
}

const answerMs = 10_000;

/**
 * Asks an engine who it is.
 * @throws TadpoleError `missing-dependency` when dockerode is not installed or the engine does not answer.
 */
export async function connectEngine(engine: DockerEngine): Promise<ConnectedEngine> {
  const name = engineName(engine);
  const Client = await loadDockerode();
  const docker = new Client({ ...engine, port: engine.host === undefined ? undefined : (engine.port ?? 2375) });
  try {
    const version = await withinTime(docker.version(), answerMs);
    const components = (version as { Components?: readonly { Name: string }[] }).Components ?? [];
    return { name, docker, isPodman: components.some((component) => component.Name === 'Podman Engine') };
  } catch (cause) {
    const message = `expected a container engine at ${name}, got: ${(cause as Error).message}; start it, or use the namespaces provider, which needs none`;
    throw new TadpoleError({ code: 'missing-dependency', message, cause });
  }
}

/** What people call an engine: its address. */
function engineName(engine: DockerEngine): string {
  return engine.socketPath ?? `${engine.protocol ?? 'http'}://${engine.host ?? 'localhost'}:${engine.port ?? 2375}`;
}

async function loadDockerode(): Promise<typeof Dockerode> {
  try {
    return (await import('dockerode')).default;
  } catch (cause) {
    throw new TadpoleError({
      code: 'missing-dependency',
      message: 'expected the package dockerode; install it: npm install dockerode',
      cause,
    });
  }
}

/** Rejects when a promise takes longer than an engine in order ever would. */
export async function withinTime<Value>(promise: Promise<Value>, timeoutMs: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
