// Reporter of node:test that hands each test's result to the report channel; suites have no result of their own.
import { createRequire } from 'node:module';

const report = createRequire(import.meta.url)('./report-channel.cjs')();
let attached = false;

export const { begin, files } = report;
export const isAttached = () => attached;

export function failToLoad(file, error) {
  report.add({ file: report.relative(file), name: '(load)', status: 'failed', ...report.describeError(error), kind: 'error' });
}

export default async function* reporter(source) {
  if (attached) return;
  attached = true;
  const names = [];
  for await (const { type, data } of source) {
    if (type === 'test:start') names[data.nesting] = data.name;
    if ((type !== 'test:pass' && type !== 'test:fail') || data.details?.type === 'suite') continue;
    const name = [...names.slice(0, data.nesting), data.name].join(' > ');
    const file = report.relative(data.file ?? files[0]);
    if (data.skip !== undefined || data.todo !== undefined) report.add({ file, name, status: 'skipped' });
    else if (type === 'test:pass') report.add({ file, name, status: 'passed' });
    else report.add({ file, name, status: 'failed', ...report.describeError(data.details.error.cause ?? data.details.error) });
  }
  report.finish();
  // Open handles that tests left must not keep a finished run alive.
  setTimeout(() => process.exit(), 500).unref();
}
