import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A running SkyRL with a Qwen3 that was made for it. */
export interface SkyRl {
  readonly url: string;
  /** Folder of the model, with its tokenizer and chat template; also the name of the base model. */
  readonly model: string;
  readonly parameters: number;
  /** Path of what the server and its engine print. */
  readonly log: string;
  /** Ends the server, its engine and whatever they started. */
  stop(): Promise<void>;
}

/** See {@link startSkyRl}. */
export interface SkyRlOptions {
  /** Where model, checkpoints and log are kept. */
  readonly folder: string;
  /** The model as `make_qwen.py` takes it. @default about 0.14 M random parameters */
  readonly shape?: { readonly tokens?: number; readonly config?: Readonly<Record<string, unknown>> };
  /** What the model is taught before it is served. @default nothing: it stays random */
  readonly lessons?: { readonly demonstrations: object; readonly steps: number };
  /** Fields of SkyRL's JAX backend over those of the tests. */
  readonly backend?: Readonly<Record<string, unknown>>;
  /** Where JAX computes. @default cpu */
  readonly platform?: 'cpu' | 'cuda';
  /** Variables of the server over those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Makes the model and starts the server in the interpreter `TADPOLE_SKYRL_PYTHON`. @throws Error that holds the end of its log */
export async function startSkyRl(options: SkyRlOptions): Promise<SkyRl> {
  const { folder, backend = {}, platform = 'cpu' } = options;
  const python = requirePython();
  mkdirSync(folder, { recursive: true });
  // Each new model would compile its optimizer again, and each server everything.
  const compiled = { JAX_COMPILATION_CACHE_DIR: join(folder, 'compiled'), JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS: '0.2' };
  // The log is folded at the width of the terminal.
  const fixed = {
    HF_HUB_OFFLINE: '1',
    JAX_PLATFORMS: platform === 'cuda' ? 'cuda,cpu' : 'cpu',
    TOKENIZERS_PARALLELISM: 'false',
    COLUMNS: '400',
  };
  const environment = { ...compiled, ...process.env, ...fixed, ...options.environment };
  const model = join(folder, 'qwen3');
  const parameters = await makeModel({ ...options, python, model, environment });
  const port = await freePort();
  const log = join(folder, 'skyrl.log');
  const settings = { max_lora_adapters: 8, max_lora_rank: 8, train_micro_batch_size: 4, sample_max_num_sequences: 4, ...backend };
  const flags = {
    ...{ 'base-model': model, backend: 'jax', 'backend-config': JSON.stringify(settings), port: String(port) },
    ...{ 'database-url': `sqlite:///${join(folder, 'skyrl.db')}`, 'checkpoints-base': join(folder, 'checkpoints') },
  };
  const child = spawn(python, [script('serve.py'), ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])], {
    ...{ detached: true, env: environment, stdio: ['ignore', 'pipe', 'pipe'] },
  });
  const written = createWriteStream(log);
  child.stdout.pipe(written, { end: false });
  child.stderr.pipe(written, { end: false });
  const ended = once(child, 'exit');
  const kill = () => {
    try {
      process.kill(-(child.pid as number), 'SIGKILL');
    } catch {
      // it has ended already
    }
  };
  process.on('exit', kill);
  const stop = async () => {
    process.off('exit', kill);
    kill();
    await ended;
    written.end();
  };
  const url = `http://127.0.0.1:${port}`;
  for (let waited = 0; waited < 180; waited += 1) {
    const isUp = await fetch(`${url}/api/v1/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return { url, model, parameters, log, stop };
    if (child.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  await stop();
  throw new Error(`SkyRL did not start. The end of its log:\n${readFileSync(log, 'utf8').slice(-3000)}`);
}

function requirePython(): string {
  const python = process.env.TADPOLE_SKYRL_PYTHON;
  if (python !== undefined && existsSync(python)) return python;
  throw new Error(
    `Expected TADPOLE_SKYRL_PYTHON to name a Python with SkyRL, got ${python ?? 'nothing'}; run test/skyrl/install-skyrl.sh FOLDER.`,
  );
}

/** Writes the model to its folder, taught where there are lessons; returns its number of parameters. */
async function makeModel(options: SkyRlOptions & { python: string; model: string; environment: NodeJS.ProcessEnv }): Promise<number> {
  const { folder, python, model, shape = {}, lessons, environment } = options;
  const run = async (args: readonly string[]) => (await promisify(execFile)(python, args, { env: environment })).stdout;
  const file = join(folder, 'demonstrations.json');
  if (lessons !== undefined) writeFileSync(file, JSON.stringify(lessons.demonstrations));
  const made = await run([script('make_qwen.py'), model, JSON.stringify(shape), ...(lessons === undefined ? [] : [file])]);
  if (lessons !== undefined) await run([script('teach_qwen.py'), model, file, String(lessons.steps)]);
  const { parameters } = JSON.parse(made) as { parameters: number };
  return parameters;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
