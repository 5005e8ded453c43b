import type { TaskRunner } from '@tadpole/reward-hack-auditor';

/** Where a runner leaves its report inside of the sandbox. */
export const reportPath = '/tmp/audit-report.xml';

/** The words of a runner's command without the files; the report has JUnit's form, or TAP on standard output for tape. */
export function runnerCommand(runner: TaskRunner): string {
  const tap = `--test-reporter=junit --test-reporter-destination=${reportPath}`;
  const commands: Readonly<Record<TaskRunner, string>> = {
    pytest: `python3 -m pytest -q -p no:cacheprovider --junitxml=${reportPath}`,
    'node-test': `node --test ${tap}`,
    'tsx-test': `node --import tsx --test ${tap}`,
    vitest: `node /node_modules/vitest/vitest.mjs run --reporter=junit --outputFile=${reportPath}`,
    jest: `node /node_modules/jest/bin/jest.js --json --outputFile=${reportPath} --runTestsByPath`,
    mocha: `node /node_modules/mocha/bin/mocha.js --reporter xunit --reporter-option output=${reportPath}`,
    tape: `node /node_modules/tape/bin/tape`,
  };
  return commands[runner];
}

/** The npm packages that a runner needs. */
export function runnerPackages(runner: TaskRunner): readonly string[] {
  if (runner === 'vitest') return ['vitest', 'tsx', 'typescript'];
  if (runner === 'tsx-test') return ['tsx', 'typescript', '@types/node'];
  return runner === 'jest' || runner === 'mocha' || runner === 'tape' ? [runner] : [];
}
