import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Grader, OwnedSandbox, Policy, Sampler, Snapshot, TestExecutor, TestResult } from '@tadpole/contracts';
import { mutationGenerators, seededRandom } from '@tadpole/taskpilot';
import { type ClimbContext, createClimbContext } from '../src/climb/climb-context.js';
import type { ClimbOptions } from '../src/climb/climb-options.js';
import { recipeConfiguration } from '../src/recipe/recipe-configuration.js';
import { type Configuration, overrideConfiguration } from '../src/run/configuration.js';
import { recordExecutions } from '../src/run/recorded-executor.js';
import type { RunStore } from '../src/run/run-store.js';

const sources: Readonly<Record<string, string>> = {
  'lib/range.js': `function contains(low, high, value) {
  return value >= low && value <= high;
}
function clamp(low, high, value) {
  if (!contains(low, high, value)) {
    return value < low ? low : high;
  }
  return value;
}
function width(low, high) {
  return Math.max(high - low, 0);
}
module.exports = { contains, clamp, width };
`,
  'lib/list.js': `function sum(values) {
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
};

const baseline: readonly TestResult[] = ['contains', 'clamps', 'measures', 'sums', 'averages'].map((name) => ({
  id: `test/all.test.js::${name}`,
  file: 'test/all.test.js',
  name,
  status: 'passed',
}));

/** A repository of two files whose tests nobody runs. */
export function fixtureSnapshot(): Snapshot {
  const directory = mkdtempSync(join(tmpdir(), 'tadpole-climb-'));
  const files = { ...sources, 'test/all.test.js': '// see fixture-climb.ts\n' };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return {
    source: 'sample@1.0.0',
    licence: 'MIT',
    directory,
    hash: 'a'.repeat(64),
    runner: 'node-test',
    sourceFiles: Object.keys(sources),
    testFiles: ['test/all.test.js'],
    hiddenPaths: ['test'],
    dependencies: [],
    baseline,
  };
}

/** Any edited tree fails the first test; which tests it is does not matter to the loop. */
const failing: TestExecutor = {
  async execute({ edits }) {
    const tests = baseline.map((test, index) =>
      index === 0 && edits.length > 0
        ? { ...test, status: 'failed' as const, kind: 'assertion' as const, expected: '1', observed: '2' }
        : test,
    );
    return { status: 'completed', tests, output: '', durationMs: 1 };
  },
};

/** A configuration for the fixture: small numbers, a wide band, cheap rollouts. */
export function fixtureSynthesis(): Configuration {
  return overrideConfiguration({
    base: recipeConfiguration('small'),
    overrides: {
      iterations: 2,
      synthesis: { tasks: 4, candidates: 16, rollouts: 90 },
      calibration: { band: [0.2, 0.8], prior: [1, 1], rolloutCost: 0.005 },
      concurrency: { rollouts: 1 },
    },
    source: 'fixture',
  });
}

/** The policy of a checkpoint; it is never asked for tokens. */
export function fixtureSampler(weightsVersion: string): Sampler {
  const refuse = () => Promise.reject(new Error('expected no sampling of tokens'));
  return { sample: refuse, weightsVersion, contextTokens: 1024 };
}

/**
 * A climb's context whose journal, files and loop are real. Its policy writes its seed into the workspace, and its grader draws a
 * score from that: a sample of a task is solved with probability `rate`, the same one in every process.
 */
export function fixtureContext(options: { store: RunStore; rate: number }): ClimbContext {
  const { store, rate } = options;
  const context = createClimbContext({
    store,
    generators: mutationGenerators(),
    renderer: { name: 'none', render: () => [0], parse: refused, stopIds: [] },
    nodeModules: store.directory,
    now: () => new Date('2026-12-01T00:00:00.000Z'),
    ...({} as Pick<ClimbOptions, 'client' | 'provider'>),
  });
  return {
    ...context,
    recordedExecutor: recordExecutions({ executor: failing, folder: store.folder('executions') }),
    openSandbox: async () => memorySandbox(),
    policyOf: ({ weightsVersion }) => seedWriter(weightsVersion),
    grader: drawingGrader(rate),
  };
}

function seedWriter(name: string): Policy {
  const usage = { promptTokens: 1, completionTokens: 1 };
  return {
    name,
    async respond({ messages, sampling }) {
      const seed = JSON.stringify({ file_path: 'seed.txt', content: String(sampling.seed) });
      const toolCalls = messages.at(-1)?.role === 'tool' ? [] : [{ id: 'write', name: 'Write', arguments: seed }];
      const promptIds = messages.map((_, index) => index % 4);
      const tokens = { promptIds, completionIds: [1], completionLogprobs: [Math.log(0.25)], weightsVersion: name };
      return { message: { role: 'assistant', content: '', toolCalls }, usage, tokens, stopReason: 'stop' };
    },
  };
}

function drawingGrader(rate: number): Grader {
  return {
    async grade({ patch }) {
      return { status: 'scored', reward: seededRandom(patch)() < rate ? 1 : 0, components: {}, tests: [] };
    },
  };
}

/** Holds what was written; its change is the text of it. What looks around in it finds nothing. */
function memorySandbox(): OwnedSandbox {
  const written: string[] = [];
  return {
    id: 'memory',
    run: async () => ({ exitCode: 0, stdout: '', stderr: '', timedOut: false, droppedBytes: 0, durationMs: 0 }),
    readFile: async () => null,
    glob: refused,
    writeFile: async (_path, content) => {
      written.push(String(content));
    },
    diff: async () => written.join('\n'),
    dispose: async () => {},
  };
}

function refused(): never {
  throw new Error('expected no such call');
}
