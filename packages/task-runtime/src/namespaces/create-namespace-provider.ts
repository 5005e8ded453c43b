import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Containment, isTadpoleError, type OwnedSandbox, type SandboxProvider, TadpoleError } from '@tadpole/contracts';
import { parseOpenRequest } from '../sandbox/parse-open-request.js';
import { createWorkspaceBases } from '../sandbox/workspace-base.js';
import { describeNamespaceHost } from './describe-namespace-host.js';
import { findNamespaceHost, type NamespaceHost } from './namespace-host.js';
import { openNamespaceSandbox } from './open-namespace-sandbox.js';
import { reapStaleSandboxes } from './reap-stale-sandboxes.js';

/** Settings of {@link createNamespaceProvider}. */
export interface NamespaceProviderOptions {
  /** Folder for the bases of workspaces and for the labels of open sandboxes; made when absent. */
  readonly scratchDirectory: string;
  /** @default `bwrap` in the system's folders */
  readonly bubblewrapPath?: string;
  /** @default bubblewrap where installed, otherwise unshare */
  readonly launcher?: 'bubblewrap' | 'unshare';
  /** Unprivileged user and group id that commands run as when this process is root; no account is needed. @default 63210 */
  readonly userId?: number;
  /** Label of the sandboxes' folders. @default '' */
  readonly runId?: string;
  /** Clock in milliseconds. @default Date.now */
  readonly now?: () => number;
}

/**
 * The embedded sandbox: Linux namespaces by bubblewrap or, without it, by unshare of util-linux. No daemon, no image,
 * no root needed. Each command is one process tree in fresh namespaces over a copy-on-write workspace; it sees `/usr`
 * read-only, the sandbox's own `/tmp`, no network and no environment of this process. Files are served by one process
 * for all calls, in namespaces of its own over the same tree. Everything that is written stands in memory.
 *
 * Not covered: kernel exploits through what the filter leaves open, and memory bandwidth; without a control group the memory of all
 * processes together is watched, not enforced by the kernel. `describe()` says what holds on this machine.
 */
export function createNamespaceProvider(options: NamespaceProviderOptions): SandboxProvider & {
  /** Disposes every sandbox that is still open and lets go of what the provider holds; it can be used again. */
  disposeAll(): Promise<void>;
} {
  const now = options.now ?? Date.now;
  const open = new Set<OwnedSandbox>();
  let machine: Promise<{ host: NamespaceHost; bases: ReturnType<typeof createWorkspaceBases> }> | undefined;

  let description: Promise<Containment> | undefined;

  function prepare() {
    machine ??= (async () => {
      const { launcher, bubblewrapPath } = options;
      const host = await findNamespaceHost({
        scratchDirectory: resolve(options.scratchDirectory),
        userId: options.userId ?? 63_210,
        launcher,
        bubblewrapPath,
      });
      // What a killed process left here ends with the next start.
      await reapStaleSandboxes({ scratchDirectory: host.scratchDirectory });
      const directory = join(host.scratchDirectory, 'bases');
      mkdirSync(directory, { recursive: true, mode: 0o755 });
      return {
        host,
        bases: createWorkspaceBases({ directory, git: host.git, owner: host.owner }),
      };
    })();
    machine.catch(() => {
      machine = undefined;
    });
    return machine;
  }

  const provider: SandboxProvider & { disposeAll(): Promise<void> } = {
    async open({ network = 'none', signal, ...request }) {
      if (signal?.aborted)
        throw new TadpoleError({ code: 'aborted', message: 'the sandbox was not opened: its signal is aborted', cause: signal.reason });
      const { environment, limits } = parseOpenRequest(request);
      const { host, bases } = await prepare();
      const base = await bases.prepare(resolve(environment.workspace), environment.workspaceKey);
      const sandbox: OwnedSandbox = await openNamespaceSandbox({
        ...{ host, base, environment, limits, network, now, signal },
        runId: options.runId ?? '',
        onRelease: () => open.delete(sandbox),
      }).catch((error) => {
        // The scratch folder may be gone: the next opening looks at the machine again.
        if (isTadpoleError(error) && error.code === 'storage') machine = undefined;
        throw error;
      });
      open.add(sandbox);
      return sandbox;
    },
    describe() {
      description ??= prepare().then(({ host }) => describeNamespaceHost({ host, open: (request) => provider.open(request) }));
      description.catch(() => {
        description = undefined;
      });
      return description;
    },
    async disposeAll() {
      await Promise.all([...open].map((sandbox) => sandbox.dispose()));
      const prepared = await machine?.catch(() => undefined);
      // A later opening prepares the machine again.
      machine = undefined;
      prepared?.host.pipes.close();
    },
  };
  return provider;
}
