import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Candidate, Snapshot } from '@tadpole/contracts';
import { createMutationGenerator } from '../../src/generator/create-mutation-generator.js';
import type { MeasuredTask } from '../../src/refine/refinement-move.js';
import { seededRandom } from '../../src/seeded-random.js';
import type { TemplateRung } from '../../src/statement/write-statement.js';
import { validateCandidate } from '../../src/validate/validate-candidate.js';
import { sampleFiles, sampleLimits } from './sample-project.js';
import { createNodeTestExecutor } from './test-executors.js';

/** The sample, and a file of a second folder with tests of its own. */
const measuredFiles: Readonly<Record<string, string>> = {
  ...sampleFiles,
  'lib/text/words.js': `'use strict';

function initials(text) {
  return text.split(' ').map((word) => word[0]).join('');
}

module.exports = { initials };
`,
  'test/words.test.js': `const test = require('node:test');
const assert = require('node:assert');
const { initials } = require('../lib/text/words.js');
test('takes first letters', () => { assert.strictEqual(initials('red fish'), 'rf'); });
test('takes a letter for itself', () => { assert.strictEqual(initials('a'), 'a'); });
`,
};

/** Writes the sample into a folder and runs its suite for real. */
export async function openMeasuredSample(directory: string): Promise<Snapshot> {
  for (const [path, text] of Object.entries(measuredFiles)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  const files = Object.keys(measuredFiles);
  const snapshot: Snapshot = {
    source: 'sample@1.0.0',
    licence: 'MIT',
    directory,
    hash: 'a'.repeat(64),
    runner: 'node-test',
    sourceFiles: files.filter((file) => file.startsWith('lib/')),
    testFiles: files.filter((file) => file.startsWith('test/')),
    hiddenPaths: ['test'],
    dependencies: [],
    baseline: [],
  };
  const run = await createNodeTestExecutor().execute({ snapshot, edits: [], timeoutMs: 20_000 });
  if (run.status !== 'completed' || run.tests.length !== 10) throw new Error(`the untouched suite ${run.status}`);
  return { ...snapshot, baseline: run.tests };
}

/** The candidate of the procedural generator that puts `text` into a line. */
async function proposed(options: { snapshot: Snapshot; operator: string; file: string; line: number; text: string }) {
  const { snapshot, operator, file, line, text } = options;
  for await (const candidate of createMutationGenerator().propose({ snapshot, random: seededRandom(1) })) {
    const { lineage, edits } = candidate;
    const [edit] = edits;
    const isIt = edit !== undefined && 'text' in edit && edit.text === text;
    if (isIt && lineage.operator === operator && lineage.file === file && lineage.line === line) return candidate;
  }
  throw new Error(`${operator} is not proposed in line ${line} of ${file}`);
}

/** A task that a real suite holds for valid, with counts as if it had been measured. */
export async function measured(options: {
  snapshot: Snapshot;
  candidate: Candidate;
  posteriorMean: number;
  rung?: TemplateRung;
}): Promise<MeasuredTask> {
  const { snapshot, candidate, posteriorMean, rung = 'file' } = options;
  const common = { executor: createNodeTestExecutor(), limits: sampleLimits, random: () => 0.5, baselineRuns: 2, goldRuns: 0 };
  const result = await validateCandidate({ ...common, snapshot, candidate, rung, examples: 'always' });
  if (result.status !== 'valid') throw new Error(`${candidate.lineage.operator}: ${result.detail}`);
  const facts = { family: null, files: 1, edits: 1, changedLines: 2, functionName: null, functionLines: null };
  const successes = Math.round(posteriorMean * 8);
  return { snapshot, candidate, draft: result.draft, facts, successes, trials: 8, posteriorMean, steps: 0 };
}

/** Tasks of every file, too easy by different amounts; all parts of `range` together have a product of .518. */
export async function measuredTasks(snapshot: Snapshot) {
  const at = (operator: string, file: string, line: number, text: string) => proposed({ snapshot, operator, file, line, text });
  const task = async (posteriorMean: number, candidate: Promise<Candidate>) =>
    measured({ snapshot, candidate: await candidate, posteriorMean });
  return {
    contains: await task(0.9, at('shift-boundary', 'lib/range.js', 5, '<')),
    clamp: await task(0.8, at('reverse-comparison', 'lib/range.js', 10, '>')),
    width: await task(0.72, at('swap-arithmetic', 'lib/range.js', 17, '+')),
    sum: await task(0.95, at('shift-integer', 'lib/list.js', 4, '1')),
    initials: await task(0.85, at('shift-integer', 'lib/text/words.js', 4, '1')),
  };
}
