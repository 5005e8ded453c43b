import { posix } from 'node:path';
import { type Network, type OwnedSandbox, type SandboxEnvironment, type SandboxLimits, TadpoleError } from '@tadpole/contracts';
import type Dockerode from 'dockerode';
import type { Mount } from '../namespaces/launcher.js';
import { runByRunner } from '../runner/runner-commands.js';
import { assertEnvironment } from '../sandbox/assert-environment.js';
import { mountedInside } from '../sandbox/capture-patch.js';
import type { WorkspaceBase } from '../sandbox/workspace-base.js';
import { type BaseSize, boundNode, containerOptions, rootUser, runtimeFolder } from './container-options.js';
import { type ConnectedEngine, withinTime } from './docker-engine.js';
import { dockerSandbox } from './docker-sandbox.js';
import { foldersAboveMounts, layDownWorkspace } from './lay-down-workspace.js';
import { removeContainer } from './remove-container.js';
import { type ContainerRunner, startRunner } from './start-runner.js';

const createMs = 120_000;

/** What prepares a container before the first command, as root: folders, then the pristine repository out of reach. */
const ownScript = `for program in bash tar; do command -v $program >/dev/null || { echo "$program" >&2; exit 44; }; done
chmod 1777 /tmp /dev/shm && chown 1000:1000 "$@"`;
const repositoryScript = `command -v git >/dev/null || exit 45
cp -R "$1/.git" "$2/repository" && touch -r "$1/.git/index" "$2/repository/index"`;

/** Opens one sandbox on an engine; its container has a name before it exists, so that nothing is left when a step fails. */
export async function openDockerSandbox(options: {
  engine: ConnectedEngine;
  name: string;
  image: string;
  nodePath?: string;
  providerMounts: readonly Mount[];
  labels: Readonly<Record<string, string>>;
  base: WorkspaceBase;
  baseSize: BaseSize;
  environment: SandboxEnvironment;
  limits: SandboxLimits;
  network: Network;
  now: () => number;
  onRelease: () => void;
  signal?: AbortSignal;
}): Promise<OwnedSandbox> {
  const { engine, name, environment, limits, signal } = options;
  const { docker } = engine;
  assertEnvironment(environment.env ?? {});
  const workspacePath = environment.workspacePath ?? '/workspace';
  const nodeMounts = options.nodePath === undefined ? [] : [{ source: options.nodePath, target: boundNode }];
  const readOnlyMounts = [...options.providerMounts, ...nodeMounts, ...(environment.readOnlyMounts ?? [])];
  const { writableMounts = [] } = environment;
  const targets = [...readOnlyMounts, ...writableMounts].map(({ target }) => target);
  for (const target of [workspacePath, ...targets]) assertTarget(target);
  const release = async () => {
    await removeContainer({ docker, name });
    options.onRelease();
  };
  try {
    const { Config: imageConfig } = await inspectImage(engine, options.image);
    const container = await withinTime(
      docker.createContainer(
        containerOptions({
          ...{ ...options, workspacePath, base: options.baseSize, readOnlyMounts, writableMounts, limitsFiles: !engine.isPodman },
          imageVolumes: Object.keys((imageConfig.Volumes ?? {}) as Record<string, unknown>),
        }),
      ),
      createMs,
    );
    assertNotAborted(signal);
    await withinTime(container.start(), createMs);
    assertNotAborted(signal);
    const node = options.nodePath === undefined ? 'node' : boundNode;
    const env = { ...readEnvironment(imageConfig.Env ?? [], options.nodePath), ...environment.env };
    const first = await startRunner({ docker, container, node });
    const paths = {
      workspace: workspacePath,
      repository: `${runtimeFolder}/repository`,
      mounted: mountedInside(environment, workspacePath),
    };
    const own = await asRoot({ first, env, script: ownScript, words: foldersAboveMounts({ workspacePath, targets }) });
    if (own.exitCode !== 0) throw lacking(options.image, own.stderr);
    await layDownWorkspace({ docker, container, tree: options.base.tree, workspacePath, targets });
    const repository = await asRoot({ first, env, script: repositoryScript, words: [workspacePath, runtimeFolder] });
    if (repository.exitCode !== 0 && repository.exitCode !== 45)
      throw new TadpoleError({ code: 'sandbox', message: `expected to keep the pristine repository, got: ${repository.stderr}` });
    assertNotAborted(signal);
    return dockerSandbox({
      id: name,
      first,
      // What was there at first is not missing now: whatever fails is the container's end.
      startRunner: () =>
        startRunner({ docker, container, node }).catch((cause: Error) => {
          throw new TadpoleError({ code: 'sandbox', message: cause.message, cause });
        }),
      remove: release,
      ...{ limits, env, now: options.now, hasGit: repository.exitCode === 0 },
      paths: { ...paths, temporary: `${runtimeFolder}/capture` },
    });
  } catch (error) {
    await release();
    throw asSandboxError(error, engine.name);
  }
}

async function inspectImage(engine: ConnectedEngine, image: string): Promise<Dockerode.ImageInspectInfo> {
  try {
    return await withinTime(engine.docker.getImage(image).inspect(), createMs);
  } catch (cause) {
    if ((cause as { statusCode?: number }).statusCode !== 404) throw cause;
    const message = `expected the image ${image} on the engine ${engine.name}; pull or import it there first`;
    throw new TadpoleError({ code: 'missing-dependency', message, cause });
  }
}

async function asRoot(options: {
  first: ContainerRunner;
  env: Readonly<Record<string, string>>;
  script: string;
  words: readonly string[];
}): Promise<{ exitCode: number | null; stderr: string }> {
  const { exitCode, stderr } = await runByRunner({
    connection: options.first.connection,
    arguments: ['/bin/sh', '-c', options.script, 'sh', ...options.words],
    env: { PATH: options.env.PATH ?? '', LC_ALL: 'C', HOME: '/nonexistent' },
    user: rootUser,
    timeoutMs: createMs,
    keep: { headBytes: 1000, tailBytes: 1000 },
  });
  return { exitCode, stderr: stderr.head.toString('utf8').trim() };
}

/** The image's own variables, then those that every sandbox has. */
function readEnvironment(imageEnv: readonly string[], nodePath: string | undefined): Record<string, string> {
  const ofImage = Object.fromEntries(imageEnv.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]));
  const path = ofImage.PATH ?? '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
  const PATH = nodePath === undefined ? path : `${path}:${posix.dirname(boundNode)}`;
  return { ...ofImage, PATH, HOME: '/tmp', TMPDIR: '/tmp', USER: 'agent', LANG: 'C.UTF-8', TZ: 'UTC' };
}

function assertTarget(target: string): void {
  if (posix.isAbsolute(target) && posix.normalize(target) === target && target !== '/') return;
  throw new TadpoleError({ code: 'invalid-input', message: `expected an absolute, normal mount target, got ${target}` });
}

function assertNotAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted)
    throw new TadpoleError({ code: 'aborted', message: 'the sandbox was not opened: its signal is aborted', cause: signal.reason });
}

function lacking(image: string, said: string): TadpoleError {
  return new TadpoleError({ code: 'missing-dependency', message: `expected bash and tar in the image ${image}, got none of: ${said}` });
}

function asSandboxError(cause: unknown, engine: string): unknown {
  if (cause instanceof TadpoleError) return cause;
  const said = (cause as Error).message;
  // The two engines' words for a mount whose source is not there.
  const code = /bind source path does not exist|statfs .*no such file/.test(said) ? 'invalid-input' : 'sandbox';
  return new TadpoleError({ code, message: `expected the engine ${engine} to make a sandbox, got: ${said}`, cause });
}
