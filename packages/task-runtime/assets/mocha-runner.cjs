'use strict';

// Runs mocha files in this process through mocha's own API, so that no configuration file of the workspace is read.
// Both the bdd and the tdd interface are offered. A file that cannot be loaded is reported as a failed test "(load)".
const report = require('./report-channel.cjs')();
const Mocha = require(`${report.modules}/mocha`);

function Reporter(runner) {
  const add = (test, result) =>
    report.add({ file: report.relative(test.file ?? report.files[0]), name: test.titlePath().join(' > '), ...result });
  runner.on('pass', (test) => add(test, { status: 'passed' }));
  runner.on('pending', (test) => add(test, { status: 'skipped' }));
  runner.on('fail', (test, error) => add(test, { status: 'failed', ...report.describeError(error) }));
}

const mocha = new Mocha({ ui: 'bdd', reporter: Reporter, color: false });
Mocha.interfaces.tdd(mocha.suite);

async function load(file) {
  mocha.suite.emit('pre-require', globalThis, file, mocha);
  let exported;
  try {
    exported = require(file);
  } catch (error) {
    if (error?.code !== 'ERR_REQUIRE_ESM') throw error;
    exported = await import(file);
  }
  mocha.suite.emit('require', exported, file, mocha);
  mocha.suite.emit('post-require', globalThis, file, mocha);
}

(async () => {
  report.begin();
  for (const file of report.files) {
    try {
      await load(file);
    } catch (error) {
      report.add({ file: report.relative(file), name: '(load)', status: 'failed', ...report.describeError(error), kind: 'error' });
    }
  }
  mocha.run((failures) => {
    report.finish();
    process.exit(failures === 0 ? 0 : 1);
  });
})();
