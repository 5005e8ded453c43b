import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives the servers of all files one folder of compiled programs, and removes it behind them. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'tadpole-compiled-'));
  process.env.JAX_COMPILATION_CACHE_DIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
