import type { Gate, TestResult, TreeEdit } from '@tadpole/contracts';
import { exampleTestFile, exampleTestNames } from '../statement/example/example-test.js';
import type { ExampleCandidate, FailingExample } from '../statement/example/failing-example.js';
import { readExampleCandidates } from '../statement/example/read-failing-example.js';
import { isString } from '../statement/write-prose.js';
import type { SuiteSettings } from './execute-suite.js';

/** Most assertions that are run; a test file has seldom more that may have failed. */
const mostCandidates = 8;

/**
 * Blind reproduction (taskpilot.md section 1, "under-specified issue"): assertions cut out of the failing tests of one file run
 * in a test file of their own, once on the agent's tree and once on the solved one. The first that fails there as its test
 * did, and passes here, is the example, and what it printed is what the statement says.
 *
 * @returns `null` when none does.
 */
export async function reproduceExample(
  options: SuiteSettings & {
    agentEdits: readonly TreeEdit[];
    solvedEdits: readonly TreeEdit[];
    testFile: { readonly file: string; readonly text: string };
    /** Failing tests of that file, the one that the statement speaks of first. */
    failures: readonly TestResult[];
  },
): Promise<{ example: FailingExample; gate: Gate } | null> {
  const { snapshot, executor, timeoutMs, signal, agentEdits, solvedEdits, testFile, failures } = options;
  const { runner } = snapshot;
  const found: { candidate: ExampleCandidate; failure: TestResult }[] = [];
  for (const failure of failures) {
    if (found.length >= mostCandidates) break;
    const { candidates } = await readExampleCandidates({ snapshot, ...testFile, test: failure });
    found.push(...candidates.map((candidate) => ({ candidate, failure })));
  }
  const tried = found.slice(0, mostCandidates);
  if (tried.length === 0) return null;
  const test = exampleTestFile({ runner, testFile: testFile.file, candidates: tried.map(({ candidate }) => candidate) });
  const run = async (edits: readonly TreeEdit[]) => {
    const only = { testFiles: [test.file], timeoutMs, ...(signal === undefined ? {} : { signal }) };
    const result = await executor.execute({ snapshot, edits: [...edits, test], ...only });
    return result.status === 'completed' ? new Map(result.tests.map((item) => [item.name, item])) : new Map<string, TestResult>();
  };
  const before = await run(agentEdits);
  const after = before.size === 0 ? before : await run(solvedEdits);
  for (const [index, { candidate, failure }] of tried.entries()) {
    const { own: name, exact } = exampleTestNames({ runner, index });
    const [agent, solved] = [before.get(name), after.get(name)];
    if (agent?.status !== 'failed' || solved?.status !== 'passed' || after.get(exact)?.status !== 'passed') continue;
    const seen = sawOf({ candidate, failure, result: agent });
    if (seen === null) continue;
    const example = { ...candidate.example, ...seen };
    const evidence = { test, name, agentTree: agent, solvedTree: solved.status, example };
    return { example, gate: { name: 'example-reproduces', passed: true, evidence } };
  }
  return null;
}

interface SeenOptions {
  readonly candidate: ExampleCandidate;
  readonly failure: TestResult;
  readonly result: TestResult;
}
type Seen = Pick<FailingExample, 'outcome' | 'observed'>;

/** What the agent's tree gave; `null` when the run does not say it, or says something else than the test did. */
function sawOf(options: SeenOptions): Seen | null {
  const { candidate, failure, result } = options;
  const message = (result.message ?? '').trim();
  if (result.kind === 'error') return message !== '' && failure.message === result.message ? sawError({ candidate, message }) : null;
  if (candidate.kind === 'value') return sawValue(options);
  return sawThrow({ message, observed: result.observed });
}

function sawError({ candidate, message }: { candidate: ExampleCandidate; message: string }): Seen {
  if (/timed out|timeout of \d+ ?ms/i.test(message)) return { outcome: 'hang' };
  return { outcome: candidate.kind === 'throws' ? 'other-error' : 'error', observed: message.split('\n')[0] ?? message };
}

/** A failed assertion about an exception: none came, or another one, which the runner may print with its stack. */
function sawThrow({ message, observed = '' }: { message: string; observed: string | undefined }): Seen | null {
  const isMissing = /missing expected (exception|rejection)|did not (throw|raise)|to throw(?!.*\bbut\b)/i.test(message);
  if (isMissing || observed === 'undefined') return { outcome: 'no-error' };
  const thrown = /^\[?(\w*(?:Error|Exception)\b[^\n\]]*)/.exec(observed)?.[1];
  return thrown === undefined ? null : { outcome: 'other-error', observed: thrown };
}

function sawValue({ candidate, failure, result }: SeenOptions): Seen | null {
  const { isBoolean, isSwapped, isOwnCheck, example } = candidate;
  if (isOwnCheck && (failure.expected !== result.expected || failure.observed !== result.observed)) return null;
  if (isBoolean) return { outcome: 'value', observed: opposite[example.expected] ?? '' };
  const [observed, expected] = isSwapped ? [result.expected, result.observed] : [result.observed, result.expected];
  if (observed === undefined || expected === undefined || observed === expected) return null;
  return { outcome: isOtherType({ code: example.expected, observed, expected }) ? 'type' : 'value', observed };
}

const opposite: Readonly<Record<string, string>> = { true: 'false', false: 'true', True: 'False', False: 'True' };

/** Certain only for strings, whose quotes tell them, where the runner prints quotes. */
function isOtherType(options: { code: string; observed: string; expected: string }): boolean {
  const { code, observed, expected } = options;
  if (isString(code)) return isString(expected) && !isString(observed);
  return /^[\d[{tfnuTFN-]/.test(code) && isString(observed) && !isString(expected);
}
