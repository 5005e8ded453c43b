import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assetsDirectory } from '../assets-directory.js';

const entry = './sandbox-runner.cjs';
const parts = [entry, './runner-commands.cjs', './runner-files.cjs', './runner-glob.cjs', './runner-refusal.cjs'];

/**
 * The command line of a runner that needs no file of ours inside: Node.js with the whole source as an argument.
 *
 * With `user` the runner must be started as root in a container of its own; it then serves that user's files and starts
 * commands. Without it, it serves the files of the user that it runs as.
 */
export function runnerArguments(options: { node: string; user?: { uid: number; gid: number } }): readonly string[] {
  // One thread for the engine's own work, where others of the sandbox share a limit of processes.
  return [options.node, '--v8-pool-size=1', '-e', runnerSource(), JSON.stringify(options.user ?? {})];
}

/** One script of all parts, each a module as Node.js itself would load it. */
function runnerSource(): string {
  const modules = parts.map((name) => {
    const text = readFileSync(join(assetsDirectory(), name), 'utf8');
    return `${JSON.stringify(name)}: (module, require) => {${text}\n}`;
  });
  return `const sources = { ${modules.join(',\n')} };
const loaded = {};
function load(name) {
  if (sources[name] === undefined) return require(name);
  if (loaded[name] === undefined) sources[name]((loaded[name] = { exports: {} }), load);
  return loaded[name].exports;
}
load(${JSON.stringify(entry)});`;
}
