import type { TestResult } from '@tadpole/contracts';

/** What a statement may say about a failure. */
export interface Symptom {
  readonly testName: string;
  readonly expected?: string;
  readonly observed?: string;
  readonly error?: string;
}

/**
 * The first failing test whose symptom both runs report alike: its pair of printed values, otherwise the
 * message of an error, otherwise that of an assertion without its headline; each without the addresses of objects. `null` when no failure says the same thing twice, since a statement would then not be true.
 */
export function chooseSymptom(options: { first: readonly TestResult[]; second: readonly TestResult[] }): Symptom | null {
  const again = new Map(options.second.map((test) => [test.id, test]));
  const stable = (read: (test: TestResult) => Symptom | null) => {
    for (const test of options.first) {
      const symptom = read(test);
      const other = again.get(test.id);
      if (symptom !== null && other !== undefined && JSON.stringify(read(other)) === JSON.stringify(symptom)) return symptom;
    }
    return null;
  };
  return stable(readValues) ?? stable(readError) ?? stable(readAssertion);
}

/** Failing tests that both runs report alike, the one of {@link chooseSymptom} first. */
export function stableFailures(options: { first: readonly TestResult[]; second: readonly TestResult[] }): readonly TestResult[] {
  const again = new Map(options.second.map((test) => [test.id, test]));
  const said = ({ kind, message, expected, observed }: TestResult) => JSON.stringify([kind, message, expected, observed]);
  const stable = options.first.filter((test) => {
    const other = again.get(test.id);
    return other !== undefined && said(other) === said(test);
  });
  const chosen = chooseSymptom(options)?.testName;
  return [...stable.filter(({ name }) => name === chosen), ...stable.filter(({ name }) => name !== chosen)];
}

/** An object without a text of its own is printed with its address, which is another one in each run. */
function withoutAddresses(text: string): string {
  return text.replaceAll(/ at 0x[\da-f]+/gi, ' at 0x…');
}

function readValues(test: TestResult): Symptom | null {
  if (test.expected === undefined || test.observed === undefined) return null;
  const { name } = test;
  const [expected, observed] = [withoutAddresses(test.expected), withoutAddresses(test.observed)];
  return expected === observed ? null : { testName: name, expected, observed };
}

function readError(test: TestResult): Symptom | null {
  return test.kind === 'assertion' ? null : readMessage(test);
}

/** Node's headline says only that something differs; what differs comes after it. */
function readAssertion(test: TestResult): Symptom | null {
  const headline = /^(AssertionError( \[\w+\])?: )?Expected [\w ]+ to [\w -]+:\s+/;
  return readMessage({ ...test, message: test.message?.replace(headline, '') });
}

function readMessage({ name, message }: TestResult): Symptom | null {
  return message === undefined || message.trim() === '' ? null : { testName: name, error: withoutAddresses(message) };
}
