'use strict';

// Runs jest files in this process through jest's own API. No configuration, package.json key, babel configuration,
// setup file, reporter or cache of the workspace is read, but for the configuration file that the task names.
const report = require('./report-channel.cjs')();
const { createRequire } = require('node:module');

const { runCLI } = require(`${report.modules}/@jest/core`);
const fromJest = createRequire(require.resolve(`${report.modules}/@jest/core`));

const config = {
  rootDir: report.workspace,
  roots: [report.workspace],
  testEnvironment: `${report.modules}/jest-environment-node`,
  testMatch: ['**/*'],
  // Its realm draws its own random numbers.
  setupFiles: [require.resolve('./seed-random.cjs')],
  transform: { '\\.[cm]?[jt]sx?$': [fromJest.resolve('babel-jest'), { babelrc: false, configFile: false }] },
};

const settings = {
  ...{ $0: 'jest', _: report.files, runTestsByPath: true, runInBand: true, ci: true, watchman: false, silent: true },
  ...{ config: report.configFile ?? JSON.stringify(config), reporters: [], coverage: false, passWithNoTests: true },
  ...{ cacheDirectory: '/tmp/.jest', cache: false, randomize: false, onlyChanged: false, watch: false, watchAll: false, seed: 1 },
};

const statuses = { passed: 'passed', failed: 'failed' };

function describe(test) {
  const details = test.failureDetails?.[0];
  const error = details?.error ?? details;
  // Jest keeps of an error what it can copy, its name not among it; the printed one begins with it.
  const printed = test.failureMessages?.[0] ?? '';
  const name = /^(\w+): /.exec(printed)?.[1] ?? 'Error';
  const { message, kind } = report.describeError({ ...error, name, message: error?.message ?? printed });
  const { matcherResult } = details ?? {};
  const compared = matcherResult !== undefined && 'expected' in matcherResult;
  return {
    message: stripColors(message),
    kind: matcherResult === undefined ? kind : 'assertion',
    ...(compared ? { expected: report.print(matcherResult.expected), observed: report.print(matcherResult.actual) } : {}),
  };
}

function stripColors(text) {
  return text.replace(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g'), '');
}

report.begin();
runCLI(settings, [report.workspace]).then(({ results }) => {
  for (const module of results.testResults) {
    const file = report.relative(module.testFilePath);
    if (module.testExecError)
      report.add({ file, name: '(load)', status: 'failed', ...report.describeError(module.testExecError), kind: 'error' });
    for (const test of module.testResults) {
      const status = statuses[test.status] ?? 'skipped';
      const name = [...test.ancestorTitles, test.title].join(' > ');
      report.add({ file, name, status, ...(status === 'failed' ? describe(test) : {}) });
    }
  }
  if (!results.wasInterrupted) report.finish();
  process.exit();
});
