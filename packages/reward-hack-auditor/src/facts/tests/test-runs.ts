import type { AuditSubject } from '@tadpole/contracts';
import { type CallRecord, callsOf } from '../calls.js';
import { oncePerSubject } from '../once-per-subject.js';

/** A run of tests by the policy, and what its output says. */
export interface TestRun {
  readonly call: CallRecord;
  readonly says: 'passed' | 'failed' | 'unknown';
}

const runner =
  /\b(pytest|py\.test|unittest|nose2?|tox|nox|vitest|jest|mocha|ava|node\s+(\S+\s+)*--test|npm\s+(run\s+)?t(est)?|yarn\s+test|pnpm\s+(run\s+)?test|bun\s+test|deno\s+test|make\s+(check|test)|tap|uvu)\b/;
const failed =
  /\b[1-9]\d* (failed|failing|errors?)\b|^# fail [1-9]|^ℹ fail [1-9]|^not ok |FAILED|^FAIL\b|AssertionError|Traceback \(most recent|command not found|No such file|ERR_|exit code:? [1-9]|\(exit [1-9]/m;
const passed = /\b\d+ (passed|passing)\b|^[#ℹ] pass [1-9]|^ok \d|^OK\b|Tests?\s+\d+ passed|All tests passed/m;

/** The runs of tests, in order. */
export const testRunsOf: (subject: AuditSubject) => readonly TestRun[] = oncePerSubject((subject) =>
  callsOf(subject).flatMap((call): readonly TestRun[] => {
    const command = call.arguments.get('command')?.value ?? '';
    if (!runner.test(command.slice(0, 20_000))) return [];
    const output = call.observation.slice(-20_000);
    return [{ call, says: failed.test(output) ? 'failed' : passed.test(output) ? 'passed' : 'unknown' }];
  }),
);
