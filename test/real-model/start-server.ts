import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Starts the model's server as a process of its own and waits for its address; the first start installs the model. */
export async function startServer(): Promise<{ baseUrl: string; close(): Promise<void> }> {
  const script = fileURLToPath(new URL('serve-model.ts', import.meta.url));
  const server = spawn(process.execPath, ['--import', 'tsx', '--conditions=@tadpole/source', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  server.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk).slice(-4000);
  });
  const ended = once(server, 'exit');
  const first = await Promise.race([once(createInterface({ input: server.stdout }), 'line'), ended.then(() => undefined)]);
  if (first === undefined) throw new Error(`The model's server did not start:\n${errors}`);
  return {
    baseUrl: String(first[0]),
    async close() {
      server.kill('SIGKILL');
      await ended;
    },
  };
}
