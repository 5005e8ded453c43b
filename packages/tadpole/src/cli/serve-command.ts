import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TadpoleError } from '@tadpole/contracts';
import { baseWeightsFile, serveEngine } from '@tadpole/embedded-policy';

/** Flags of `tadpole serve`. */
export interface ServeFlags {
  readonly port: number;
  readonly host: string;
  readonly weights?: string;
  readonly checkpoints: string;
  readonly apiKeyEnv?: string;
  readonly json?: boolean;
}

/**
 * Serves the embedded engine over the Tinker protocol until SIGINT or SIGTERM. Prints the address when it listens.
 *
 * @throws TadpoleError `invalid-config` for a folder without weights or an empty key; what `serveEngine` throws.
 */
export async function serveCommand(flags: ServeFlags): Promise<void> {
  const stop = new Promise<void>((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done());
  });
  const apiKey = flags.apiKeyEnv === undefined ? undefined : keyOf(flags.apiKeyEnv);
  const server = await serveEngine({
    weights: flags.weights === undefined ? baseWeightsFile() : weightsIn(resolve(flags.weights)),
    checkpoints: resolve(flags.checkpoints),
    ...{ host: flags.host, port: flags.port },
    ...(apiKey === undefined ? {} : { apiKey }),
  });
  process.stdout.write(flags.json === true ? `${JSON.stringify({ url: server.url })}\n` : `serving on ${server.url}\n`);
  await stop;
  await server.close();
}

function weightsIn(folder: string): string {
  const found = ['state.safetensors', 'weights.safetensors'].map((name) => join(folder, name)).find((file) => existsSync(file));
  if (found !== undefined) return found;
  const message = `--weights: expected weights.safetensors or state.safetensors in ${folder}, got neither.`;
  throw new TadpoleError({ code: 'invalid-config', message });
}

function keyOf(name: string): string {
  const key = process.env[name];
  if (key) return key;
  throw new TadpoleError({ code: 'invalid-config', message: `--api-key-env: expected a key in ${name}, which is not set.` });
}
