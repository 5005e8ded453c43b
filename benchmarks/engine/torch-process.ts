import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The PyTorch side: a process that answers one question at a time, see `torch_policy.py`. */
export interface TorchProcess {
  ask<Answer>(call: string, arguments_: Readonly<Record<string, unknown>>): Promise<Answer>;
  close(): void;
}

/** PyTorch and its C library keep freed memory, as the engine does: without this every large tensor costs page faults. */
const keepMemory = {
  MALLOC_TRIM_THRESHOLD_: '4294967296',
  MALLOC_MMAP_THRESHOLD_: '4294967296',
  MALLOC_TOP_PAD_: '268435456',
};

/** Starts the process, or says why it cannot: `TADPOLE_TORCH_PYTHON`, else `python3`, must have PyTorch 2.13. */
export function startTorch(): TorchProcess | { readonly missing: string } {
  const python = process.env.TADPOLE_TORCH_PYTHON ?? 'python3';
  const found = spawnSync(python, ['-c', 'import torch; print(torch.__version__)'], { encoding: 'utf8' });
  if (found.status !== 0 || !found.stdout.startsWith('2.13.')) {
    const came = found.error?.message ?? (found.stdout.trim() || found.stderr.trim().split('\n').at(-1) || `exit status ${found.status}`);
    return {
      missing: `expected PyTorch 2.13 in ${python}, got: ${came}; make an environment with test/torch/install-torch.sh DIRECTORY and set TADPOLE_TORCH_PYTHON to what it prints`,
    };
  }
  const script = fileURLToPath(new URL('./torch_policy.py', import.meta.url));
  const child = spawn(python, [script], { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...keepMemory } });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async ask(call, arguments_) {
      child.stdin.write(`${JSON.stringify({ call, ...arguments_ })}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`the PyTorch process ended at ${call}`);
      return JSON.parse(value);
    },
    close: () => child.stdin.end(),
  };
}
