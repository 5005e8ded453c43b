import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Candidate, SandboxLimits, Snapshot, TestResult } from '@tadpole/contracts';
import { onTestFinished } from 'vitest';

/** A small real package: two source files, two test files that run with node:test. */
export const sampleFiles: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "sample", "version": "1.0.0", "type": "commonjs" }\n',
  'lib/range.js': `'use strict';

// Whether a value lies in [low, high].
function contains(low, high, value) {
  return value >= low && value <= high;
}

function clamp(low, high, value) {
  if (!contains(low, high, value)) {
    return value < low ? low : high;
  }
  return value;
}

function width(low, high) {
  const unused = high > low ? 'wide' : 'empty';
  return Math.max(high - low, 0);
}

module.exports = { contains, clamp, width };
`,
  'lib/list.js': `'use strict';

function sum(values) {
  let total = 0;
  for (const value of values) {
    total += value;
  }
  return total;
}

function mean(values) {
  return values.length === 0 ? 0 : sum(values) / values.length;
}

module.exports = { sum, mean };
`,
  'test/range.test.js': `const test = require('node:test');
const assert = require('node:assert');
const { contains, clamp, width } = require('../lib/range.js');
test('holds its ends', () => { assert.strictEqual(contains(1, 3, 1), true); assert.strictEqual(contains(1, 3, 3), true); });
test('holds nothing outside', () => { assert.strictEqual(contains(1, 3, 4), false); });
test('clamps below and above', () => { assert.strictEqual(clamp(1, 3, 0), 1); assert.strictEqual(clamp(1, 3, 9), 3); });
test('measures its width', () => { assert.strictEqual(width(2, 5), 3); assert.strictEqual(width(5, 2), 0); });
`,
  'test/list.test.js': `const test = require('node:test');
const assert = require('node:assert');
const { sum, mean } = require('../lib/list.js');
test('sums', () => { assert.strictEqual(sum([1, 2, 3]), 6); });
test('sums nothing to zero', () => { assert.strictEqual(sum([]), 0); });
test('averages', () => { assert.strictEqual(mean([2, 4]), 3); });
test('averages nothing to zero', () => { assert.strictEqual(mean([]), 0); });
`,
};

const names = {
  'test/range.test.js': ['holds its ends', 'holds nothing outside', 'clamps below and above', 'measures its width'],
  'test/list.test.js': ['sums', 'sums nothing to zero', 'averages', 'averages nothing to zero'],
};

/** Baseline of the sample, as its untouched suite reports it. */
export const sampleBaseline: readonly TestResult[] = Object.entries(names).flatMap(([file, tests]) =>
  tests.map((name) => ({ id: `${file}::${name}`, file, name, status: 'passed' as const })),
);

/** Writes files into a fresh folder, removed when the test ends. */
export function writeProject(files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(tmpdir(), 'tadpole-taskpilot-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return directory;
}

/** A snapshot of the sample, or of other files. */
export function sampleSnapshot(overrides: Partial<Snapshot> & { files?: Readonly<Record<string, string>> } = {}): Snapshot {
  const { files = sampleFiles, ...rest } = overrides;
  return {
    source: 'sample@1.0.0',
    licence: 'MIT',
    directory: writeProject(files),
    hash: 'a'.repeat(64),
    runner: 'node-test',
    sourceFiles: Object.keys(files).filter((file) => file.startsWith('lib/')),
    testFiles: Object.keys(files).filter((file) => file.startsWith('test/')),
    hiddenPaths: ['test'],
    dependencies: [],
    baseline: sampleBaseline,
    ...rest,
  };
}

/** A candidate that replaces the first `before` of a file by `after`. */
export function replaceInSample(options: { file?: string; before: string; after: string; operator?: string }): Candidate {
  const { file = 'lib/range.js', before, after, operator = 'test-operator' } = options;
  const text = sampleFiles[file] ?? '';
  const start = text.indexOf(before);
  if (start === -1) throw new Error(`${file} holds no ${before}`);
  const line = text.slice(0, start).split('\n').length;
  return { edits: [{ file, start, end: start + before.length, text: after }], lineage: { generator: 'test', operator, file, line } };
}

export const sampleLimits: SandboxLimits = {
  processes: 16,
  memoryBytes: 512 * 1024 * 1024,
  cpuSeconds: 10,
  timeoutMs: 10_000,
  fileBytes: 1024 * 1024,
  writtenBytes: 64 * 1024 * 1024,
  writtenFiles: 10_000,
  outputBytes: 64 * 1024,
};
