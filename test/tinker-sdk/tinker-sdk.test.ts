import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { baseWeightsFile, type EngineServer, serveEngine } from '@tadpole/embedded-policy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tadpole-sdk-'));
const server = spawn(
  process.execPath,
  [
    ...['--import', 'tsx', '--conditions=@tadpole/source', path('../../packages/tadpole/src/cli/main.ts')],
    ...['serve', '--json', '--checkpoints', join(folder, 'checkpoints')],
  ],
  { cwd: path('../..'), stdio: ['ignore', 'pipe', 'inherit'] },
);
let url = '';
/** Holds the models of a whole script. */
let roomy: EngineServer;
/** Keeps one result, so that those before it have expired. */
let forgetful: EngineServer;

/** Each interpreter and what makes it. */
const interpreters = {
  '0.38.0': { variable: 'TADPOLE_TINKER_PYTHON', script: 'install-tinker.sh FOLDER' },
  '0.25.0': { variable: 'TADPOLE_TINKER_OLD_PYTHON', script: 'install-tinker.sh FOLDER 0.25.0' },
} as const;

function pythonOf({ variable, script }: { variable: string; script: string }): string {
  const python = process.env[variable] ?? '';
  if (existsSync(python)) return python;
  throw new Error(`Expected ${variable} to name a Python with tinker, got ${python || 'nothing'}; run test/tinker-sdk/${script}.`);
}

/** What a script prints last. */
async function run<Seen>(options: { python: string; script: string; words: readonly string[] }): Promise<Seen> {
  const { python, script, words } = options;
  const { stdout } = await promisify(execFile)(python, [path(script), ...words], { timeout: 170_000, maxBuffer: 2 ** 24 });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Seen;
}

/** What `train_and_sample.py` prints. */
interface Trained {
  readonly losses: readonly number[];
  readonly sample: { readonly tokens: readonly (readonly number[])[] };
  readonly sampler_gap: number;
  readonly prompt_gap: number;
  readonly rewarded: number;
  readonly punished: number;
  readonly restore_gap: number;
  readonly checkpoints: readonly string[];
}

/** What `losses_and_errors.py` prints: of an error, whether its class is the SDK's, the class and the text. */
interface Refused {
  readonly losses: Readonly<Record<string, number>>;
  readonly asynchronous: {
    readonly before: readonly number[];
    readonly after: number;
    readonly restored: boolean;
    readonly lengths: number[];
  };
  readonly loading: { readonly same_step: boolean; readonly late: readonly unknown[] };
  readonly sampling: object;
  readonly errors: Readonly<Record<string, unknown>>;
}

beforeAll(async () => {
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  url = (JSON.parse(line.toString()) as { url: string }).url;
  roomy = await serveEngine({ weights: baseWeightsFile(), checkpoints: join(folder, 'roomy'), mostModels: 16 });
  const mostResults = { count: 1, bytes: 2 ** 20 };
  forgetful = await serveEngine({ weights: baseWeightsFile(), checkpoints: join(folder, 'forgetful'), mostResults });
});
afterAll(async () => {
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await Promise.all([roomy.close(), forgetful.close()]);
  expect(await ended).toEqual([0, null]);
  rmSync(folder, { recursive: true, force: true });
});

describe.each(Object.entries(interpreters))('the official SDK %s on the embedded engine', (_, interpreter) => {
  it('trains, saves, loads and samples', async () => {
    const seen = await run<Trained>({ python: pythonOf(interpreter), script: 'train_and_sample.py', words: [url] });
    expect(seen).toMatchObject({
      model: 'tadpole/embedded',
      info: 'tadpole/embedded',
      repeats: true,
      first_prompt_logprob: null,
      run: true,
    });
    expect(seen.losses.at(-1)).toBeLessThan((seen.losses[0] as number) / 2);
    expect(seen.sample.tokens.map((tokens) => tokens.length > 0 && tokens.length <= 8)).toEqual([true, true]);
    expect(seen.sample.tokens[0]).not.toEqual(seen.sample.tokens[1]);
    expect([seen.sampler_gap < 1e-3, seen.prompt_gap < 1e-3, seen.restore_gap]).toEqual([true, true, 0]);
    expect(seen.rewarded).toBeGreaterThan(0);
    expect(seen.punished).toBeLessThan(0);
    expect(seen.checkpoints).toEqual(['training']);
  });

  it('has every loss with its settings, its asynchronous calls, and is told in its own exceptions what is wrong', async () => {
    const seen = await run<Refused>({ python: pythonOf(interpreter), script: 'losses_and_errors.py', words: [roomy.url, forgetful.url] });
    for (const gap of Object.values(seen.losses)) expect(gap).toBeLessThan(1e-3);
    expect(Object.keys(seen.losses)).toEqual(['importance_sampling', 'ppo', 'cispo']);
    const { before, after, ...rest } = seen.asynchronous;
    expect(rest).toEqual({ restored: true, lengths: [2, 4] });
    for (const loss of before) expect(after).toBeLessThan(loss);
    expect(seen.loading).toEqual({ same_step: true, late: told('BadRequestError', 'LoadWeights is not permitted') });
    expect(seen.sampling).toEqual({ lengths: [true, true, true], prompt_gap: 0, first: [null, null] });
    expect(seen.errors).toEqual({
      loss: told('UnprocessableEntityError', 'Expected loss_fn to be one of'),
      config: told('UnprocessableEntityError', 'Expected loss_fn_config of cross_entropy to have no key'),
      tokens: told('BadRequestError', 'expected token ids from 0 to'),
      goes_on: null,
      taken: told('RequestFailedError', 'already exists; take another name'),
      base: told('BadRequestError', 'Expected base_model'),
      path: told('NotFoundError', 'Expected a checkpoint of this server'),
      no_max_tokens: told('BadRequestError', 'Expected max_tokens of 1 or more'),
      stop: told('BadRequestError', 'no tokenizer for stop strings'),
      // Both versions say this with an exception of Python's own.
      unknown_future: [false, 'ValueError', expect.stringContaining('Expected the request_id of a request of this server')],
      expired_future: told('RetryableException', 'Promise expired'),
    });
  });
});

function told(type: string, text: string): unknown[] {
  return [true, type, expect.stringContaining(text)];
}
