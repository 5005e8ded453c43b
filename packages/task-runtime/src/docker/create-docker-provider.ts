import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isTadpoleError, type OwnedSandbox, type SandboxEnvironment, type SandboxProvider, TadpoleError } from '@tadpole/contracts';
import { requireProgram } from '../sandbox/find-program.js';
import { parseOpenRequest } from '../sandbox/parse-open-request.js';
import { createWorkspaceBases } from '../sandbox/workspace-base.js';
import { ownLabels } from './container-labels.js';
import { describeDocker } from './describe-docker.js';
import { connectEngine, type DockerEngine } from './docker-engine.js';
import { measureBase } from './lay-down-workspace.js';
import { openDockerSandbox } from './open-docker-sandbox.js';
import { reapDockerSandboxes } from './reap-docker-sandboxes.js';

/** Settings of {@link createDockerProvider}. */
export interface DockerProviderOptions {
  /** Image of sandboxes whose environment names none; it must be on the engine and hold sh, bash, tar, git and Node.js. */
  readonly image: string;
  /** Folder of this machine for prepared workspaces; made when absent. */
  readonly scratchDirectory: string;
  /** Engines to share the sandboxes between. @default the socket `/var/run/docker.sock` */
  readonly engines?: readonly DockerEngine[];
  /** Node.js binary of the engines' machines to bind read-only, for images that have none. @default `node` of the image */
  readonly nodePath?: string;
  /** Folders and files of the engines' machines to see read-only in every sandbox. @default none */
  readonly readOnlyMounts?: readonly { readonly source: string; readonly target: string }[];
  /** Label of the containers. @default '' */
  readonly runId?: string;
  /** Clock in milliseconds. @default Date.now */
  readonly now?: () => number;
  /** Makes the unique part of a container's name. @default a random UUID */
  readonly newId?: () => string;
}

type OpenRequest = Parameters<SandboxProvider['open']>[0];

interface PoolMember {
  readonly engine: DockerEngine;
  /** How many of its sandboxes are open or being opened. */
  sandboxes: number;
  /** The removal of what killed processes left on the engine, once. */
  reaped?: Promise<unknown>;
  /** Whether it has answered: then it is there, and when it fails it may answer again. */
  hasAnswered?: boolean;
}

/**
 * Sandboxes in containers, by dockerd or podman through dockerode. Each sandbox is a container without network, with a
 * read-only root and a workspace in memory; commands run as user 1000, files are served by a runner that they cannot reach.
 * An engine that does not answer is passed over; the one with the fewest of this provider's sandboxes comes first.
 *
 * Images are never pulled, and mounts are paths of the engine's machine. Not covered: kernel exploits beyond the engine's
 * seccomp profile, disk and CPU bandwidth; `describe()` says what holds.
 *
 * @throws TadpoleError `invalid-config` for an empty list of engines.
 */
export function createDockerProvider(options: DockerProviderOptions): SandboxProvider & {
  /** Disposes every sandbox that is still open, for a process that ends early. */
  disposeAll(): Promise<void>;
} {
  const { now = Date.now, newId = randomUUID, runId = '' } = options;
  const pool: readonly PoolMember[] = (options.engines ?? [{ socketPath: '/var/run/docker.sock' }]).map((engine) => ({
    engine,
    sandboxes: 0,
  }));
  if (pool.length === 0) throw new TadpoleError({ code: 'invalid-config', message: 'expected at least one container engine, got none' });
  const open = new Set<OwnedSandbox>();
  const sizes = new Map<string, ReturnType<typeof measureBase>>();
  let bases: ReturnType<typeof createWorkspaceBases> | undefined;

  async function prepare({ workspace, workspaceKey }: SandboxEnvironment) {
    bases ??= createWorkspaceBases({ directory: basesFolder(options.scratchDirectory), git: requireProgram('git') });
    const base = await bases.prepare(resolve(workspace), workspaceKey);
    const size = sizes.get(base.tree) ?? measureBase(base.tree);
    sizes.set(base.tree, size);
    return { base, baseSize: await size };
  }

  async function openOn(member: PoolMember, request: OpenRequest): Promise<OwnedSandbox> {
    member.sandboxes += 1;
    let isReleased = false;
    let sandbox: OwnedSandbox | undefined;
    const onRelease = () => {
      if (!isReleased) member.sandboxes -= 1;
      isReleased = true;
    };
    try {
      const engine = await connectEngine(member.engine).catch((cause: TadpoleError) => {
        throw member.hasAnswered ? new TadpoleError({ code: 'sandbox', message: cause.message, cause }) : cause;
      });
      member.hasAnswered = true;
      // An orphan that cannot be removed now is no reason not to open.
      member.reaped ??= reapDockerSandboxes({ engines: [member.engine] }).catch(() => {});
      await member.reaped;
      const { environment, limits, network = 'none', signal } = request;
      sandbox = await openDockerSandbox({
        ...{ engine, environment, limits, network, signal, now },
        ...(await prepare(environment)),
        name: `tadpole-${newId()}`,
        image: environment.image ?? options.image,
        nodePath: options.nodePath,
        providerMounts: options.readOnlyMounts ?? [],
        labels: ownLabels({ runId, startedAt: new Date(now()).toISOString() }),
        onRelease: () => {
          onRelease();
          if (sandbox !== undefined) open.delete(sandbox);
        },
      });
      open.add(sandbox);
      return sandbox;
    } catch (error) {
      onRelease();
      throw error;
    }
  }

  const provider: SandboxProvider & { disposeAll(): Promise<void> } = {
    async open(request) {
      if (request.signal?.aborted) {
        const message = 'the sandbox was not opened: its signal is aborted';
        throw new TadpoleError({ code: 'aborted', message, cause: request.signal.reason });
      }
      const { limits } = parseOpenRequest(request);
      const failures: TadpoleError[] = [];
      for (const member of [...pool].sort((a, b) => a.sandboxes - b.sandboxes)) {
        try {
          return await openOn(member, { ...request, limits });
        } catch (error) {
          if (!isTadpoleError(error) || (error.code !== 'missing-dependency' && error.code !== 'sandbox')) throw error;
          failures.push(error);
        }
      }
      throw allFailed(failures);
    },
    async describe() {
      const workspace = mkdtempSync(join(basesFolder(options.scratchDirectory), '.probe-'));
      try {
        return await describeDocker({
          engines: pool.map((member) => member.engine),
          open: (index, limits) => openOn(pool[index] as PoolMember, { environment: { workspace }, limits }),
        });
      } finally {
        rmSync(workspace, { recursive: true, force: true });
      }
    },
    async disposeAll() {
      await Promise.all([...open].map((sandbox) => sandbox.dispose()));
    },
  };
  return provider;
}

function basesFolder(scratchDirectory: string): string {
  mkdirSync(scratchDirectory, { recursive: true });
  const directory = join(realpathSync(scratchDirectory), 'bases');
  mkdirSync(directory, { recursive: true, mode: 0o755 });
  return directory;
}

function allFailed(failures: readonly TadpoleError[]): TadpoleError {
  if (failures.length === 1) return failures[0] as TadpoleError;
  const code = failures.every((failure) => failure.code === 'missing-dependency') ? 'missing-dependency' : 'sandbox';
  const message = `expected one engine to open a sandbox, got:\n${failures.map((failure) => failure.message).join('\n')}`;
  return new TadpoleError({ code, message, cause: failures[0] });
}
