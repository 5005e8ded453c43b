import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../benchmarks/gpu/run.sh', import.meta.url));

function runScript(args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(script, args, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr });
    });
  });
}

describe('the script for one GPU', () => {
  it('trains, measures and holds the server to the suites in its dry run on the CPU', async () => {
    const { code, stdout, stderr } = await runScript([process.env.TADPOLE_SKYRL_PYTHON ?? '', '--dry-run']);
    expect([code, stderr]).toEqual([0, '']);
    const figures = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
    // Six cases, and as many as there are in `skyrl.test.ts` in all.
    expect(figures).toMatchObject({ dryRun: true, platform: 'cpu', passed: 6, failed: 0, left: 32 });
    const { wallSeconds, samplingSeconds, trainingSeconds, serverSeconds, clientSeconds, wireSeconds, overheadShare } = figures;
    expect(Math.min(serverSeconds, clientSeconds, wireSeconds, figures.sampledTokensPerSecond)).toBeGreaterThan(0);
    expect(samplingSeconds + trainingSeconds).toBeCloseTo(wallSeconds, 1);
    expect(serverSeconds + clientSeconds + wireSeconds).toBeCloseTo(wallSeconds, 1);
    expect(overheadShare).toBeCloseTo(1 - serverSeconds / wallSeconds, 2);
  }, 900_000);

  it('refuses a call without an interpreter, and says how to make one', async () => {
    const { code, stderr } = await runScript(['no/such/python']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/expected the path of a Python interpreter, got no\/such\/python.*install-skyrl\.sh DIRECTORY cuda12/);
  });
});
