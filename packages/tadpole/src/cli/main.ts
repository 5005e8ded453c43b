import { CommanderError } from 'commander';
import { createProgram } from './create-program.js';
import { exitCodeOf } from './exit-code.js';

try {
  await createProgram().parseAsync(process.argv);
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    process.stderr.write(`tadpole: ${error instanceof Error ? error.message : String(error)}\n`);
    if (process.env.TADPOLE_DEBUG) process.stderr.write(`${(error as Error).stack}\n`);
    process.exitCode = exitCodeOf(error);
  }
}
