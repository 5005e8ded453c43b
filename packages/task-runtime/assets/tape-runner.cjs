'use strict';

// Runs tape files in this process, in order, and reports each test and subtest. An exception in a test fails that test
// and the run goes on; a file that cannot be loaded is reported as a failed test "(load)".
const report = require('./report-channel.cjs')();
const tape = require(`${report.modules}/tape`);

let currentFile = report.files[0];
const open = new Set();

const { _results: results } = tape.getHarness();
results.on('_push', (test) => watch(test, currentFile, []));
results.on('done', () => {
  report.finish();
  // Open handles that tests left must not keep a finished run alive.
  setTimeout(() => process.exit(), 500).unref();
});

process.on('uncaughtException', (error) => {
  const test = [...open].pop();
  if (test === undefined) {
    report.add({ file: report.relative(currentFile), name: '(uncaught)', status: 'failed', ...report.describeError(error) });
    process.exitCode = 1;
    return;
  }
  failTest(test, error);
});

report.begin();
for (const file of report.files) {
  currentFile = file;
  try {
    require(file);
  } catch (error) {
    report.add({ file: report.relative(file), name: '(load)', status: 'failed', ...report.describeError(error), kind: 'error' });
  }
}

function failTest(test, error) {
  test.tadpoleError ??= report.describeError(error);
  test.fail(error);
  if (!test.calledEnd) test.end();
}

function watch(test, file, parents) {
  const name = [...parents, String(test.name)];
  let failure;
  // Thrown through tape's own loop, an exception would end the whole run.
  const { run } = test;
  test.run = function runCaught() {
    try {
      return run.call(this);
    } catch (error) {
      failTest(this, error);
    }
  };
  test.once('prerun', () => open.add(test));
  test.on('test', (subtest) => watch(subtest, file, name));
  test.on('result', (result) => {
    if (typeof result !== 'object' || result.ok || result.todo || failure !== undefined) return;
    failure = test.tadpoleError ?? describe(result);
  });
  test.once('end', () => {
    open.delete(test);
    const skipped = test._skip ? 'skipped' : 'passed';
    report.add({ file: report.relative(file), name: name.join(' > '), status: failure === undefined ? skipped : 'failed', ...failure });
  });
}

function describe(result) {
  const values = result.operator !== 'fail' && ('expected' in result || 'actual' in result);
  return {
    message: String(result.name ?? result.operator).slice(0, 300),
    kind: 'assertion',
    ...(values ? { expected: report.print(result.expected), observed: report.print(result.actual) } : {}),
  };
}
