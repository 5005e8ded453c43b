import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A running SkyRL with a tiny random Qwen3. */
export interface SkyRl {
  readonly url: string;
  /** Folder of the model, with its tokenizer and chat template; also the name of the base model. */
  readonly model: string;
  /** Ends the server, its engine and whatever they started. */
  stop(): Promise<void>;
}

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const environment = { ...process.env, HF_HUB_OFFLINE: '1', JAX_PLATFORMS: 'cpu', TOKENIZERS_PARALLELISM: 'false' };

/** Makes the model and starts the server in the interpreter `TADPOLE_SKYRL_PYTHON`. @throws Error that holds the end of its log */
export async function startSkyRl({ folder }: { folder: string }): Promise<SkyRl> {
  const python = process.env.TADPOLE_SKYRL_PYTHON;
  if (python === undefined || !existsSync(python))
    throw new Error(
      `Expected TADPOLE_SKYRL_PYTHON to name a Python with SkyRL, got ${python ?? 'nothing'}; run test/skyrl/install-skyrl.sh FOLDER.`,
    );
  const model = join(folder, 'tiny-qwen3');
  await promisify(execFile)(python, [script('make_tiny_qwen.py'), model], { env: environment });
  const port = await freePort();
  const log = join(folder, 'skyrl.log');
  const backend = { max_lora_adapters: 8, max_lora_rank: 8, train_micro_batch_size: 4, sample_max_num_sequences: 4 };
  const flags = {
    ...{ 'base-model': model, backend: 'jax', 'backend-config': JSON.stringify(backend), port: String(port) },
    ...{ 'database-url': `sqlite:///${join(folder, 'skyrl.db')}`, 'checkpoints-base': join(folder, 'checkpoints') },
  };
  const child = spawn(python, [script('serve.py'), ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])], {
    ...{ detached: true, env: environment, stdio: ['ignore', 'pipe', 'pipe'] },
  });
  const written = createWriteStream(log);
  child.stdout.pipe(written, { end: false });
  child.stderr.pipe(written, { end: false });
  const ended = once(child, 'exit');
  const stop = async () => {
    try {
      process.kill(-(child.pid as number), 'SIGKILL');
    } catch {
      // it has ended already
    }
    await ended;
    written.end();
  };
  const url = `http://127.0.0.1:${port}`;
  for (let waited = 0; waited < 180; waited += 1) {
    const isUp = await fetch(`${url}/api/v1/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return { url, model, stop };
    if (child.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  await stop();
  throw new Error(`SkyRL did not start. The end of its log:\n${readFileSync(log, 'utf8').slice(-3000)}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
