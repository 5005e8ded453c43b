import { execFileSync } from 'node:child_process';
import { createReadStream, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Dockerode from 'dockerode';
import { createDockerProvider, type DockerProviderOptions } from '../../src/index.js';

/** Image that holds nothing but folders and links; programs come from this machine's `/usr`. */
export const skeletonImage = 'localhost/tadpole-skeleton:latest';

const systemMounts = ['/usr', '/etc/alternatives'].map((path) => ({ source: path, target: path }));
const node = realpathSync(process.execPath);

/** A real engine whose socket stands in an environment variable, with the skeleton image on it. */
export async function connectTestEngine(variable: 'TADPOLE_DOCKER_SOCKET' | 'TADPOLE_PODMAN_SOCKET') {
  const socketPath = process.env[variable];
  if (socketPath === undefined) throw new Error(`expected the socket of an engine in ${variable}; see test/engines`);
  const docker = new Dockerode({ socketPath });
  await docker.ping().catch((cause: Error) => {
    throw new Error(`expected an engine at ${socketPath} (${variable}), got: ${cause.message}`, { cause });
  });
  const folder = mkdtempSync(join(tmpdir(), 'tadpole-docker-'));
  await importSkeleton({ docker, folder, image: skeletonImage });
  return {
    docker,
    engine: { socketPath },
    folder,
    provider: (options: Partial<DockerProviderOptions> = {}) =>
      createDockerProvider({
        image: skeletonImage,
        scratchDirectory: join(folder, 'scratch'),
        engines: [{ socketPath }],
        readOnlyMounts: systemMounts,
        ...(node.startsWith('/usr/') ? {} : { nodePath: node }),
        ...options,
      }),
    /** Names of all containers on the engine. */
    async containers(): Promise<readonly string[]> {
      return (await docker.listContainers({ all: true })).map(({ Names }) => Names[0]?.replace(/^\//, '') ?? '').sort();
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A node binary of this machine, for images without one. */
export const nodePath = node;

/** Imports an image of folders and links alone; `changes` are lines of a Dockerfile. */
export async function importSkeleton(options: { docker: Dockerode; folder: string; image: string; changes?: string }): Promise<void> {
  const { docker, changes } = options;
  const root = mkdtempSync(join(options.folder, 'image-'));
  for (const path of ['usr', 'etc/alternatives', 'proc', 'sys', 'dev', 'tmp', 'var/tmp', 'run', 'opt'])
    mkdirSync(join(root, path), { recursive: true });
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(root, name));
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/:/bin/sh\nagent:x:1000:1000::/tmp:/bin/bash\n');
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nagent:x:1000:\n');
  execFileSync('tar', ['-C', root, '-cf', `${root}.tar`, '.']);
  const [repo, tag] = options.image.split(/:(?=[^:]*$)/) as [string, string];
  const stream = await docker.importImage(createReadStream(`${root}.tar`), { repo, tag, ...(changes === undefined ? {} : { changes }) });
  let said = '';
  for await (const chunk of stream) said += String(chunk);
  // Older engines import without the tag.
  const id = /sha256:[0-9a-f]{64}/.exec(said)?.[0];
  if (id === undefined) throw new Error(`expected the engine to import the image, got: ${said}`);
  await docker.getImage(id).tag({ repo, tag });
}
