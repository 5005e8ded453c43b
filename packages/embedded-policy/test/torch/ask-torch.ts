import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Asks `reference.py`. The interpreter is `TADPOLE_TORCH_PYTHON`, else `python3`; it must have PyTorch. */
export function askTorch<Answer>(question: Readonly<Record<string, unknown>>): Answer {
  const python = process.env.TADPOLE_TORCH_PYTHON ?? 'python3';
  const script = fileURLToPath(new URL('./reference.py', import.meta.url));
  const input = JSON.stringify(question, (_, value) => (ArrayBuffer.isView(value) ? [...(value as Float32Array)] : value));
  const { status, stdout, stderr, error } = spawnSync(python, ['-B', script], { input, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0)
    throw new Error(`expected ${python} to run ${script} with torch 2.13.0 and numpy installed, got: ${error?.message ?? stderr}`);
  return JSON.parse(stdout) as Answer;
}
