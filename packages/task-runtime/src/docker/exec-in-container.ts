import type { Readable, Writable } from 'node:stream';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type Dockerode from 'dockerode';
import { withinTime } from './docker-engine.js';

/** A process in a container with its streams. */
export interface ContainerProcess {
  readonly input: Writable;
  readonly output: Readable;
  /** The first bytes of standard error, once the streams have ended. */
  readonly ended: Promise<string>;
  /** Exit code, for which it waits a little after the streams' end; `null` when it still runs or the engine does not tell. */
  exitCode(): Promise<number | null>;
}

const keptErrorBytes = 2000;
const startMs = 60_000;
const inspectMs = 10_000;

/** Starts a process beside the first one. Not by attaching to a container: podman writes options into its standard input. */
export async function execInContainer(options: {
  docker: Dockerode;
  container: Dockerode.Container;
  command: readonly string[];
  user: { uid: number; gid: number };
}): Promise<ContainerProcess> {
  const exec = await withinTime(
    options.container.exec({
      Cmd: [...options.command],
      // The image's own would reach into the runner.
      Env: ['NODE_OPTIONS='],
      User: `${options.user.uid}:${options.user.gid}`,
      WorkingDir: '/',
      ...{ AttachStdin: true, AttachStdout: true, AttachStderr: true },
    }),
    startMs,
  );
  const stream = await withinTime(exec.start({ hijack: true, stdin: true }), startMs);
  const output = new PassThrough();
  const error = new PassThrough();
  let said = '';
  error.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(0, keptErrorBytes);
  });
  options.docker.modem.demuxStream(stream, output, error);
  const ended = new Promise<string>((resolve) => {
    const end = () => {
      output.end();
      resolve(said.trim());
    };
    stream.once('end', end);
    stream.once('close', end);
    stream.once('error', end);
  });
  async function exitCode(): Promise<number | null> {
    // An engine may tell the end of the streams before that of the process.
    for (let round = 0; round < 100; round += 1) {
      const { ExitCode, Running } = await withinTime(exec.inspect(), inspectMs).catch(() => ({ ExitCode: null, Running: false }));
      if (!Running) return ExitCode;
      await sleep(20);
    }
    return null;
  }

  return { input: stream, output, ended, exitCode };
}
