import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { containmentIdSchema, type OwnedSandbox } from '@tadpole/contracts';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { startRunner } from '../../src/docker/start-runner.js';
import { createDependencyStore, createDockerProvider, createTestExecutor, openSnapshot, reapDockerSandboxes } from '../../src/index.js';
import { caseLimits as limits } from '../../src/testing/conformance-case.js';
import { fixture, limits as runtimeLimits, versions } from '../runtime-fixture.js';
import { connectTestEngine, importSkeleton, nodePath, skeletonImage } from './engine-fixture.js';

const engine = await connectTestEngine('TADPOLE_DOCKER_SOCKET');
const provider = engine.provider({ runId: 'run-7', now: () => 0 });
const workspace = mkdtempSync(join(engine.folder, 'workspace-'));
writeFileSync(join(workspace, 'a.txt'), 'a\n');
const environment = { workspace };

afterEach(() => provider.disposeAll());
afterAll(() => engine.close());

/** Kills processes from outside the sandbox, as a want of memory would. */
async function killInside(sandbox: OwnedSandbox, words: readonly string[]): Promise<void> {
  const exec = await engine.docker.getContainer(sandbox.id).exec({ Cmd: [...words], User: '0:0', AttachStdout: true });
  const stream = await exec.start({ hijack: true, stdin: false });
  stream.resume();
  await new Promise((resolve) => stream.once('close', resolve));
}

const killRunner = ['bash', '-c', 'pkill -9 -f v8-pool-size'];

describe('a container of a sandbox', () => {
  it('names its run, its owner and when it started', async () => {
    const sandbox = await provider.open({ environment, limits });
    expect(sandbox.id).toMatch(/^tadpole-/);
    const { Config, HostConfig } = await engine.docker.getContainer(sandbox.id).inspect();
    expect(Config.Labels).toMatchObject({
      'tadpole.sandbox.run': 'run-7',
      'tadpole.sandbox.pid': String(process.pid),
      'tadpole.sandbox.process-start': expect.stringMatching(/^\d+$/),
      'tadpole.sandbox.started-at': '1970-01-01T00:00:00.000Z',
    });
    expect(HostConfig).toMatchObject({ NetworkMode: 'none', ReadonlyRootfs: true, CapDrop: ['ALL'], Privileged: false });
  });

  it('leaves nothing behind when it cannot be made or cannot start', async () => {
    const absent = { source: join(engine.folder, 'absent'), target: '/opt/absent' };
    await expect(provider.open({ environment: { ...environment, readOnlyMounts: [absent] }, limits })).rejects.toMatchObject({
      code: 'invalid-input',
    });
    // Without the mounts of this machine's programs, the image has no shell.
    const bare = createDockerProvider({ image: skeletonImage, scratchDirectory: engine.folder, engines: [engine.engine] });
    await expect(bare.open({ environment, limits })).rejects.toMatchObject({ code: 'sandbox' });
    const controller = new AbortController();
    const opening = provider.open({ environment, limits, signal: controller.signal });
    controller.abort();
    await expect(opening).rejects.toMatchObject({ code: 'aborted' });
    expect(await engine.containers()).toEqual([]);
  });

  it('is refused with the name of the image that is not there, the environment coming before the default', async () => {
    const image = 'localhost/tadpole-absent:latest';
    const opening = provider.open({ environment: { ...environment, image }, limits });
    await expect(opening).rejects.toMatchObject({ code: 'missing-dependency', message: expect.stringContaining(image) });
    const other = await engine.provider({ image }).open({ environment: { ...environment, image: skeletonImage }, limits });
    await other.dispose();
  });

  it('is refused without Node.js, and takes one that is bound', async () => {
    const absent = engine.provider({ nodePath: engine.folder });
    await expect(absent.open({ environment, limits })).rejects.toMatchObject({ code: 'missing-dependency' });
    const bound = await engine.provider({ nodePath }).open({ environment, limits });
    expect((await bound.run({ command: '$(echo $PATH | grep -o "[^:]*$")/node -p 1+1' })).stdout).toBe('2\n');
    await bound.dispose();
    expect(await engine.containers()).toEqual([]);
  });

  it('has no volume of its image to write to', async () => {
    const image = 'localhost/tadpole-volume:latest';
    await importSkeleton({ docker: engine.docker, folder: engine.folder, image, changes: 'VOLUME /data' });
    const sandbox = await provider.open({ environment: { ...environment, image }, limits });
    const { Mounts } = await engine.docker.getContainer(sandbox.id).inspect();
    expect(Mounts.map(({ Type }) => Type)).not.toContain('volume');
    expect((await sandbox.run({ command: 'ls /data && touch /data/x' })).stderr).toContain('Read-only');
  });

  it('gives commands the variables of its image, and the runner none that would change it', async () => {
    const image = 'localhost/tadpole-variables:latest';
    await importSkeleton({ docker: engine.docker, folder: engine.folder, image, changes: 'ENV NODE_OPTIONS=--no-such-option' });
    const sandbox = await provider.open({ environment: { ...environment, image }, limits });
    expect((await sandbox.run({ command: 'echo $NODE_OPTIONS' })).stdout).toBe('--no-such-option\n');
  });

  it("must be the sandbox's own for a runner to end processes in it", async () => {
    const HostConfig = { Binds: ['/usr:/usr:ro'], NetworkMode: 'none' };
    const container = await engine.docker.createContainer({ Image: skeletonImage, Cmd: ['sleep', '600'], HostConfig });
    await container.start();
    const node = nodePath.startsWith('/usr/') ? nodePath : 'node';
    await expect(startRunner({ docker: engine.docker, container, node })).rejects.toMatchObject({
      code: 'sandbox',
      message: expect.stringContaining('a pid namespace of its own'),
    });
    expect((await container.inspect()).State.Running).toBe(true);
    await container.remove({ force: true });
  });

  it('opens with room for hardly a process, and without git says so when the change is asked for', async () => {
    const source = join(engine.folder, 'no-program');
    writeFileSync(source, '');
    const readOnlyMounts = [{ source, target: '/usr/bin/git' }];
    const sandbox = await provider.open({ environment: { ...environment, readOnlyMounts }, limits: { ...limits, processes: 2 } });
    expect((await sandbox.run({ command: 'cat a.txt' })).stdout).toBe('a\n');
    await expect(sandbox.diff()).rejects.toMatchObject({ code: 'missing-dependency' });
  });
});

describe('a call', () => {
  it('ends with 137 when the runner is killed, with nothing of it left and the sandbox in order', async () => {
    const sandbox = await provider.open({ environment, limits });
    const running = sandbox.run({ command: 'echo kept > kept; setsid sleep 4721.5 & sleep 4721.5' });
    while ((await sandbox.readFile('kept')) === null);
    await killInside(sandbox, killRunner);
    expect((await running).exitCode).toBe(137);
    expect((await sandbox.run({ command: 'cat kept; pgrep -c sleep -u agent' })).stdout).toBe('kept\n0\n');
    expect(await sandbox.glob('*')).toEqual(['a.txt', 'kept']);
    expect(await sandbox.diff()).toContain('+kept');
  });

  it('throws when the container itself dies', async () => {
    const sandbox = await provider.open({ environment, limits });
    const running = sandbox.run({ command: 'echo > begun; sleep 4722.5' });
    while ((await sandbox.readFile('begun')) === null);
    await Promise.all([
      expect(running).rejects.toMatchObject({ code: 'sandbox' }),
      engine.docker.getContainer(sandbox.id).kill({ signal: 'SIGKILL' }),
    ]);
    await expect(sandbox.readFile('a.txt')).rejects.toMatchObject({ code: 'sandbox' });
    await sandbox.dispose();
  });

  it('waits its turn beside another, while files are served', async () => {
    const sandbox = await provider.open({ environment, limits });
    const first = sandbox.run({ command: 'echo > begun; while [ ! -e go ]; do sleep 0.01; done; echo first' });
    const second = sandbox.run({ command: 'cat go; echo second' });
    while ((await sandbox.readFile('begun')) === null);
    await sandbox.writeFile('go', 'went ');
    expect((await Promise.all([first, second])).map(({ stdout }) => stdout)).toEqual(['first\n', 'went second\n']);
  });

  it('finds no zombie of the calls before it', async () => {
    const sandbox = await provider.open({ environment, limits });
    for (let round = 0; round < 4; round += 1) await sandbox.run({ command: 'for i in $(seq 20); do (sleep 4723.5 &); done' });
    const { stdout, stderr } = await sandbox.run({ command: 'for i in $(seq 25); do sleep 5 & done; echo started' });
    expect([stdout, stderr]).toEqual(['started\n', '']);
  });
});

describe('what commands leave behind', () => {
  it('cannot reach the captured change', async () => {
    const sandbox = await provider.open({ environment, limits });
    const plant =
      'echo b >> a.txt; mkdir /tmp/.tadpole-index /tmp/.tadpole-git; ln -s /etc/passwd /tmp/x; git config core.fsmonitor "touch /workspace/planted"';
    await sandbox.run({ command: plant });
    expect((await sandbox.run({ command: 'ls -A /opt/tadpole; touch /opt/tadpole/x; ls /opt/tadpole/capture' })).exitCode).not.toBe(0);
    for (const _ of [1, 2]) expect(await sandbox.diff()).toMatch(/^diff --git a\/a.txt b\/a.txt\n[\s\S]*\n@@ -1 \+1,2 @@\n a\n\+b\n$/);
    expect(await sandbox.readFile('planted')).toBe(null);
  });

  it('is bounded in bytes and files over all places together', async () => {
    const sandbox = await provider.open({ environment, limits });
    const fill =
      'for folder in . /tmp /dev/shm; do for i in $(seq 20); do head -c 4000000 /dev/urandom >$folder/big-$i; done; done 2>/dev/null';
    await sandbox.run({ command: fill });
    const bytes = await sandbox.run({ command: 'cat big-* /tmp/big-* /dev/shm/big-* | wc -c' });
    expect(Number(bytes.stdout)).toBeLessThanOrEqual(limits.writtenBytes);
    expect(Number(bytes.stdout)).toBeGreaterThan(limits.writtenBytes * 0.9);
    await sandbox.run({ command: 'rm -f big-* /tmp/big-* /dev/shm/big-*' });
    const count = 'for folder in . /tmp /dev/shm; do i=0; while : 2>/dev/null >$folder/small-$i; do i=$((i + 1)); done; echo $i; done';
    const files = await sandbox.run({ command: `exec 2>/dev/null; ${count}` });
    const made = files.stdout.split('\n').filter(Boolean).map(Number);
    expect(made.reduce((sum, each) => sum + each)).toBeLessThanOrEqual(limits.writtenFiles);
    expect(made.every((each) => each > 100)).toBe(true);
  });
});

describe('the pool of engines', () => {
  it('passes over an engine that does not answer, and names every one when none does', async () => {
    const gone = ['/nonexistent/first.sock', '/nonexistent/second.sock'].map((socketPath) => ({ socketPath }));
    const some = engine.provider({ engines: [...gone, engine.engine] });
    await (await some.open({ environment, limits })).dispose();
    expect((await some.describe()).notes.join()).toContain('/nonexistent/second.sock');
    expect(() => engine.provider({ engines: [] })).toThrow(expect.objectContaining({ code: 'invalid-config' }));
    const none = engine.provider({ engines: gone }).open({ environment, limits });
    await expect(none).rejects.toMatchObject({
      code: 'missing-dependency',
      message: expect.stringMatching(/first\.sock[\s\S]*second\.sock/),
    });
  });

  it('takes the engine with the fewest open sandboxes', async () => {
    const front = await countingFront(join(engine.folder, 'front.sock'), engine.engine.socketPath);
    const both = engine.provider({ engines: [engine.engine, { socketPath: front.socketPath }] });
    const sandboxes = await Promise.all([1, 2, 3, 4].map(() => both.open({ environment, limits })));
    expect(front.created()).toBe(2);
    await both.disposeAll();
    await both.disposeAll();
    await expect(sandboxes[0]?.run({ command: 'true' })).rejects.toMatchObject({ code: 'sandbox' });
    expect(await engine.containers()).toEqual([]);
    await front.close();
  });
});

it('reaps the containers of a dead owner and leaves those of living ones', async () => {
  const script = fileURLToPath(new URL('../fixtures/open-in-container.mts', import.meta.url));
  const words = ['--import', 'tsx', '--conditions=@tadpole/source', script, engine.engine.socketPath, engine.folder];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  const orphan = String(await new Promise((resolve) => child.stdout.once('data', resolve))).trim();
  const own = await provider.open({ environment, limits });
  expect(await reapDockerSandboxes({ engines: [engine.engine] })).toEqual([]);
  while (processesWith('4724.5').length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  // Even before anyone reaps, the runner ends what it started when nobody listens any more.
  while (processesWith('4724.5').length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await reapDockerSandboxes({ engines: [engine.engine] })).toEqual([orphan]);
  expect(await engine.containers()).toEqual([own.id]);
});

it('runs the tests of a package and reads their report', async () => {
  const dependencyStore = createDependencyStore({
    nodeModules: fileURLToPath(new URL('../../../../node_modules', import.meta.url)),
    into: join(engine.folder, 'dependencies'),
  });
  const executor = createTestExecutor({ provider, dependencyStore, limits: runtimeLimits });
  const { baseline } = await openSnapshot({
    packageDirectory: fixture('mocha'),
    ...{ runner: 'mocha', sourceFiles: ['lib/clamp.js', 'lib/words.js'], testFiles: ['test/clamp.js', 'test/words.js'] },
    ...{ hiddenPaths: ['test'], dropPaths: ['dist'], dependencies: [{ name: 'mocha', version: versions.mocha }] },
    ...{ into: join(engine.folder, 'mocha'), executor, runs: 1 },
  });
  expect(baseline.length).toBeGreaterThan(1);
});

it('says of every containment whether dockerd enforces it', async () => {
  const said = await engine.provider().describe();
  expect(said.notEnforced).toEqual([]);
  expect(said.enforced.map(({ id }) => id).sort()).toEqual([...containmentIdSchema.options].sort());
  expect(await engine.containers()).toEqual([]);
});

/** Processes of this machine with a word in their command line. */
function processesWith(word: string): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').includes(word);
    } catch {
      return false;
    }
  });
}

/** A socket that hands on to an engine and counts the containers that are created through it. */
async function countingFront(socketPath: string, behind: string) {
  let created = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const engineSocket = createConnection(behind);
    socket.on('data', (chunk) => {
      created += chunk.toString('latin1').split('POST /containers/create').length - 1;
    });
    socket.pipe(engineSocket).pipe(socket);
    for (const end of [socket, engineSocket]) {
      sockets.add(end);
      end.on('error', () => {});
    }
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  return {
    socketPath,
    created: () => created,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
