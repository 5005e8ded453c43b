import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { OwnedSandbox, SandboxEnvironment, SandboxLimits, SandboxProvider } from '@tadpole/contracts';

/** One case of a conformance suite: rejects when the implementation does not conform. */
export interface ConformanceCase {
  /** A sentence about behaviour. */
  readonly name: string;
  /** Throws an assertion error when the implementation does not hold to it. */
  run(): Promise<void>;
}

/** Limits that the cases run under; small, so that reaching them is cheap. */
export const caseLimits: SandboxLimits = {
  processes: 32,
  memoryBytes: 268_435_456,
  cpuSeconds: 20,
  timeoutMs: 20_000,
  fileBytes: 4_194_304,
  writtenBytes: 33_554_432,
  writtenFiles: 5000,
  outputBytes: 65_536,
};

/** The workspace that cases start from. */
export const caseFiles: Readonly<Record<string, string>> = {
  'a.txt': 'one\ntwo\nthree\n',
  'lib/b.js': 'module.exports = 1;\n',
  'lib/deep/c.js': 'module.exports = 2;\n',
  '.gitattributes': '*.txt text eol=crlf\n',
  '.gitignore': 'ignored/\n',
};

/** Opens a sandbox over {@link caseFiles}, hands it to `use`, and disposes it. */
export async function withSandbox(
  open: SandboxProvider['open'],
  use: (sandbox: OwnedSandbox, workspace: string) => Promise<void>,
  options: { environment?: Partial<SandboxEnvironment>; limits?: Partial<SandboxLimits> } = {},
): Promise<void> {
  const workspace = mkdtempSync(join(tmpdir(), 'tadpole-case-'));
  try {
    for (const [path, content] of Object.entries(caseFiles)) {
      mkdirSync(dirname(join(workspace, path)), { recursive: true });
      writeFileSync(join(workspace, path), content);
    }
    const sandbox = await open({ environment: { workspace, ...options.environment }, limits: { ...caseLimits, ...options.limits } });
    try {
      await use(sandbox, workspace);
    } finally {
      await sandbox.dispose();
    }
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}
