// Runs vitest files through vitest's own API, one after the other in one worker thread of this process, where they share their
// modules unless the task names a configuration: a thread for each file would load all of them again. No configuration,
// setup file, reporter or cache of the workspace is read, but for the configuration file that the task names.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const report = createRequire(import.meta.url)('./report-channel.cjs')();
// Vitest writes a snapshot that is not there, and passes, everywhere but in continuous integration.
process.env.CI = 'true';
const { createVitest, version } = await import(`${report.modules}/vitest/dist/node.js`);
if (Number.parseInt(version, 10) < 3) throw new Error(`expected vitest 3 or newer, whose results can be read, got ${version}`);

// The worker thread draws its own random numbers.
const seed = fileURLToPath(new URL('seed-random.cjs', import.meta.url));
// Where the lines that run are recorded, so is the text in which they are counted.
const recorder = process.env.NODE_V8_COVERAGE === undefined ? [] : [fileURLToPath(new URL('record-scripts.cjs', import.meta.url))];
const statuses = { passed: 'passed', failed: 'failed' };

function path(task) {
  const names = [];
  for (let at = task; at.type !== 'module'; at = at.parent) names.unshift(at.name);
  return names.join(' > ');
}

function describe(error) {
  const plain = report.describeError(error);
  const compared = error !== null && typeof error === 'object' && 'expected' in error && 'actual' in error;
  if (!compared) return plain;
  const print = (value) => (typeof value === 'string' ? value : report.print(value));
  return { ...plain, kind: 'assertion', expected: print(error.expected), observed: print(error.actual) };
}

/**
 * Conditions of the package's own making that lead to TypeScript of the workspace: its tests, which name the package, then
 * load its sources and not what would be built of them.
 */
function sourceConditions() {
  let table;
  try {
    table = JSON.parse(readFileSync(`${report.workspace}/package.json`, 'utf8')).exports;
  } catch {
    return [];
  }
  const found = new Set();
  const visit = (value) => {
    if (value === null || typeof value !== 'object') return;
    for (const [key, inner] of Object.entries(value)) {
      const own = !/^[.#]|^types/.test(key) && typeof inner === 'string' && /(?<!\.d)\.[cm]?tsx?$/.test(inner);
      if (own && existsSync(`${report.workspace}/${inner}`)) found.add(key);
      visit(inner);
    }
  };
  visit(table);
  return [...found];
}

const conditions = sourceConditions();
const resolve = { conditions: [...conditions, 'module', 'node', 'development|production'] };

// A seventh of a small run goes into source maps, which nothing reads but the record of the lines that run.
const withoutMaps = { name: 'no-source-maps', enforce: 'post', transform: (code) => ({ code, map: { mappings: '' } }) };
const plugins = recorder.length === 0 ? [withoutMaps] : [];

const reporter = {
  onTestRunEnd(modules, unhandled, reason) {
    for (const module of modules) {
      const file = report.relative(module.moduleId);
      for (const error of module.errors())
        report.add({ file, name: '(load)', status: 'failed', ...report.describeError(error), kind: 'error' });
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        const failure = state === 'failed' ? describe(errors?.[0] ?? new Error('no reason was given')) : {};
        report.add({ file, name: path(test), status: statuses[state] ?? 'skipped', ...failure });
      }
    }
    for (const error of unhandled)
      report.add({ file: '', name: '(uncaught)', status: 'failed', ...report.describeError(error), kind: 'error' });
    if (reason !== 'interrupted') report.finish();
  },
};

const vitest = await createVitest(
  'test',
  {
    ...{ root: report.workspace, config: report.configFile ?? false, watch: false, reporters: [reporter] },
    ...{ pool: 'threads', maxWorkers: 1, fileParallelism: false, sequence: { shuffle: false, hooks: 'stack' }, retry: 0 },
    ...{ update: false, cache: false, coverage: { enabled: false }, typecheck: { enabled: false }, api: false, ui: false },
    ...{ include: report.files, passWithNoTests: true, allowOnly: true },
    ...(report.configFile === undefined ? { isolate: false, setupFiles: [...recorder, seed] } : {}),
  },
  {
    ...{
      configFile: report.configFile ?? false,
      configLoader: 'runner',
      envDir: false,
      publicDir: false,
      cacheDir: '/tmp/.vite',
      logLevel: 'error',
    },
    ...(report.configFile === undefined ? { css: { postcss: { plugins: [] } }, plugins } : {}),
    ...(report.configFile === undefined && conditions.length > 0 ? { resolve, ssr: { resolve } } : {}),
  },
);
delete process.env.CI;
report.begin();
await vitest.start(report.files);
process.exit();
