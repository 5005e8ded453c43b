import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tadpole-sdk-'));
const python = process.env.TADPOLE_TINKER_PYTHON ?? '';
const server = spawn(
  process.execPath,
  [
    ...['--import', 'tsx', '--conditions=@tadpole/source', path('../../packages/tadpole/src/cli/main.ts')],
    ...['serve', '--json', '--checkpoints', join(folder, 'checkpoints')],
  ],
  { cwd: path('../..'), stdio: ['ignore', 'pipe', 'inherit'] },
);
let url = '';

/** What the script prints. */
interface Seen {
  readonly model: string;
  readonly info: string;
  readonly losses: readonly number[];
  readonly sample: { readonly tokens: readonly (readonly number[])[]; readonly reasons: readonly string[] };
  readonly repeats: boolean;
  readonly sampler_gap: number;
  readonly first_prompt_logprob: number | null;
  readonly prompt_gap: number;
  readonly rewarded: number;
  readonly punished: number;
  readonly restore_gap: number;
  readonly run: boolean;
  readonly checkpoints: readonly string[];
  readonly errors: Readonly<Record<string, string | null>>;
}

beforeAll(async () => {
  if (!existsSync(python))
    throw new Error(
      `Expected TADPOLE_TINKER_PYTHON to name a Python with tinker, got ${python || 'nothing'}; run test/tinker-sdk/install-tinker.sh FOLDER.`,
    );
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  url = (JSON.parse(line.toString()) as { url: string }).url;
});
afterAll(async () => {
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  rmSync(folder, { recursive: true, force: true });
});

it('the official SDK trains, saves, loads and samples on the embedded engine, and is told what is wrong', async () => {
  const { stdout } = await promisify(execFile)(python, [path('train_and_sample.py'), url], { timeout: 150_000 });
  const seen = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Seen;
  expect(seen).toMatchObject({ model: 'tadpole/embedded', info: 'tadpole/embedded', repeats: true, first_prompt_logprob: null, run: true });
  expect(seen.losses.at(-1)).toBeLessThan((seen.losses[0] as number) / 2);
  expect(seen.sample.tokens.map((tokens) => tokens.length > 0 && tokens.length <= 8)).toEqual([true, true]);
  expect(seen.sample.tokens[0]).not.toEqual(seen.sample.tokens[1]);
  expect([seen.sampler_gap < 1e-3, seen.prompt_gap < 1e-3, seen.restore_gap]).toEqual([true, true, 0]);
  expect(seen.rewarded).toBeGreaterThan(0);
  expect(seen.punished).toBeLessThan(0);
  expect(seen.checkpoints).toEqual(['training']);
  expect(seen.errors).toEqual({
    loss: expect.stringMatching(/422.*Expected loss_fn to be one of/),
    tokens: expect.stringMatching(/400.*expected token ids from 0 to/),
    path: expect.stringMatching(/404.*Expected a checkpoint/),
    base: expect.stringMatching(/400.*Expected base_model/),
  });
});
