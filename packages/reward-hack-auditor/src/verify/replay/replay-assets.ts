import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const javascript = [
  'plain-value.cjs',
  'observe.cjs',
  'assert-shim.cjs',
  'expect-shim.cjs',
  'mock-shim.cjs',
  'test-shim.cjs',
  'frameworks.cjs',
  'replay.mjs',
];
const python = ['plain_value.py', 'observe.py', 'pytest_shim.py', 'rewrite_tests.py', 'replay.py'];

/** The programs that replay tests outside of a runner, as files to be laid into a folder of a sandbox. */
export function replayAssets(options: { language: 'javascript' | 'python'; folder: string }): ReadonlyMap<string, string> {
  const names = options.language === 'python' ? python : javascript;
  return new Map(names.map((name) => [`${options.folder}/${name}`, readFileSync(`${assetsFolder()}/${name}`, 'utf8')]));
}

function assetsFolder(): string {
  // Sources stand three folders deep, the built package one.
  const isSource = import.meta.url.includes('/src/verify/');
  return fileURLToPath(new URL(isSource ? '../../../assets/replay' : '../assets/replay', import.meta.url));
}
