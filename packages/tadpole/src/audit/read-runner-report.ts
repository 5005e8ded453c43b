import { z } from 'zod';

/** Tests of a runner's report by id: class, name and, for one of several of that name, its number. */
export interface RunnerReport {
  readonly passed: ReadonlySet<string>;
  readonly others: readonly string[];
  /** Those of the others that were skipped. */
  readonly skipped: readonly string[];
}

const jestSchema = z.object({
  testResults: z.array(z.object({ assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })) })),
});

/** Reads a report in JUnit's or jest's form, or TAP. What cannot be read is no test. */
export function readRunnerReport(text: string): RunnerReport {
  if (text.startsWith('{')) return collect(jestTests(text));
  return collect(text.startsWith('TAP version') ? tapTests(text) : junitTests(text));
}

type Test = readonly [name: string, status: 'passed' | 'failed' | 'skipped'];

function collect(tests: readonly Test[]): RunnerReport {
  const passed = new Set<string>();
  const others: string[] = [];
  const skipped: string[] = [];
  const counts = new Map<string, number>();
  for (const [name, status] of tests) {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    const id = count === 1 ? name : `${name} #${count}`;
    if (status === 'passed') passed.add(id);
    else others.push(id);
    if (status === 'skipped') skipped.push(id);
  }
  return { passed, others, skipped };
}

function junitTests(xml: string): Test[] {
  const pattern = /<testcase((?:\s+[\w:-]+="[^"]*")*)\s*(?:\/>|>([\s\S]*?)<\/testcase>)/g;
  return [...xml.matchAll(pattern)].map(([, attributes = '', body = '']) => {
    const value = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
    return [
      `${value('classname')} > ${value('name')}`,
      /<(failure|error)\b/.test(body) ? 'failed' : /<skipped\b/.test(body) ? 'skipped' : 'passed',
    ];
  });
}

function jestTests(json: string): Test[] {
  try {
    const { testResults } = jestSchema.parse(JSON.parse(json));
    return testResults.flatMap(({ assertionResults }) =>
      assertionResults.map(({ fullName, status }) => [fullName, jestStatus(status)] as const),
    );
  } catch {
    return [];
  }
}

function jestStatus(status: string): Test[1] {
  return status === 'passed' || status === 'failed' ? status : 'skipped';
}

function tapTests(text: string): Test[] {
  return [...text.matchAll(/^(not )?ok \d+ ?-? ?(.*?)( # (?:SKIP|TODO).*)?$/gim)].map(([, not, name = '', directive]) => [
    name,
    directive !== undefined ? 'skipped' : not === undefined ? 'passed' : 'failed',
  ]);
}
