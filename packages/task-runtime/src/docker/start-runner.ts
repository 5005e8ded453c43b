import { TadpoleError } from '@tadpole/contracts';
import type Dockerode from 'dockerode';
import { openRunnerConnection, type RunnerConnection } from '../runner/open-runner-connection.js';
import { runnerArguments } from '../runner/runner-arguments.js';
import { agentUser, rootUser } from './container-options.js';
import { execInContainer } from './exec-in-container.js';

/** A runner in a container. */
export interface ContainerRunner {
  readonly connection: RunnerConnection;
  /** Exit code of the process; `null` while it runs or when the engine does not tell. */
  exitCode(): Promise<number | null>;
}

const answerTimeoutMs = 60_000;

/**
 * Starts the runner in a container and ends every process of the commands' user; a runner that took the place of a dead
 * one finds nothing that outlived it.
 *
 * @throws TadpoleError `missing-dependency` when there is no Node.js inside, `sandbox` when it does not answer.
 */
export async function startRunner(options: { docker: Dockerode; container: Dockerode.Container; node: string }): Promise<ContainerRunner> {
  const command = runnerArguments({ node: options.node, user: agentUser });
  const { input, output, ended, exitCode } = await execInContainer({ ...options, command, user: rootUser }).catch((cause: Error) => {
    throw new TadpoleError({ code: 'sandbox', message: `expected a container to start a runner in, got: ${cause.message}`, cause });
  });
  const connection = openRunnerConnection({ input, output, answerTimeoutMs });
  try {
    const { reply } = await connection.request({ header: { operation: 'kill' }, replyBytes: 0 });
    if (reply.status === 'ok') return { connection, exitCode };
    throw new TadpoleError({
      code: 'sandbox',
      message: `expected the runner to serve, ${'reason' in reply ? reply.reason : reply.status}`,
    });
  } catch (cause) {
    connection.close();
    const said = await ended;
    const code = await exitCode();
    const isMissing = code === 126 || code === 127;
    throw new TadpoleError({
      code: isMissing ? 'missing-dependency' : 'sandbox',
      message: isMissing
        ? `expected Node.js at ${options.node} in the container; take an image that has it, or bind one by nodePath (${said})`
        : `expected the sandbox's runner to start, got exit ${code}: ${said || (cause as Error).message}`,
      cause,
    });
  }
}
