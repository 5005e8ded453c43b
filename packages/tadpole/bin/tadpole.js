#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const built = new URL('../dist/cli/main.js', import.meta.url);

/** A checkout that was not built: the same entry from its source, in a child, since export conditions are fixed when Node starts. */
function runSource() {
  const source = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
  let loader;
  try {
    loader = import.meta.resolve('tsx');
  } catch {
    loader = undefined;
  }
  if (loader === undefined || !existsSync(source)) {
    process.stderr.write(`tadpole: expected ${fileURLToPath(built)}, which is not there; build the package first with: npm run build\n`);
    process.exitCode = 3;
    return;
  }
  const options = ['--conditions=@tadpole/source', '--import', loader, source, ...process.argv.slice(2)];
  const child = spawn(process.execPath, options, { stdio: 'inherit' });
  // The terminal sends its interrupt to both; a signal to this process alone is passed on. The child decides how to end.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', (error) => {
    process.stderr.write(`tadpole: the command line could not be started: ${error.message}\n`);
    process.exitCode = 3;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}

if (existsSync(built)) {
  await import(built.href);
} else {
  runSource();
}
