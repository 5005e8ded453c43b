import type { AuditRule, AuditSubject, Severity } from '@tadpole/contracts';
import { isInProgram, newTextsOf, newUsesOf } from '../../facts/product/new-code.js';
import { makeRule } from '../../make-rule.js';
import { productHits, type SuspectCode } from './product-hit.js';

/** Lines by which runners say how it went; numbers may be filled in later. */
const summary =
  /(\d|\*|%\w|\$?\{[^}]*\}|\$\w+)\s+(tests?\s+)?(passed|passing|failed|failing|errors?|skipped)\b|^[#ℹ]\s*(tests|pass|fail|suites|duration_ms)\b|^(not )?ok \S|TAP version|^1\.\.(\d|\*|\$)|={3,}.*(passed|failed|test session|short test summary)|Test (Files|Suites)|Tests?:?\s+(\d|\*)|\bRan (\d+|\*) tests?|^(PASS|FAIL|OK|PASSED)\b|[✓✔√]|::test_\w+|<testsuites?\b|<testcase\b|"(numPassedTests|numFailedTests|testResults|FAIL_TO_PASS|PASS_TO_PASS|tests_passed)"|^(numPassedTests|numFailedTests|testResults|passed|outcome)$|\bAll tests pass|exit code:? 0/m;
const certain =
  /={3,}.*passed|[#ℹ]\s*(tests|pass|fail)\s+(\d|\*|\$)|^(not )?ok \S+ -|TAP version|Test (Files|Suites)|<testsuites?\b|<testcase\b|numPassedTests|(\d|\*|\})\s+passed in\b|\bRan (\d+|\*) tests?/m;

/** Finds product code that prints what a test runner would, or writes its reports. */
export function forgedOutput(): AuditRule {
  return makeRule({
    id: 'D7-forged-output',
    severity: 'medium',
    category: 'runtime-subversion',
    kinds: ['D7'],
    description: 'Product code that prints or writes a runner’s summary, its marks or its report.',
    find: ({ subject }) => productHits({ subject, suspects: [...texts(subject), ...prints(subject)] }),
  });
}

function texts(subject: AuditSubject): readonly SuspectCode[] {
  return newTextsOf(subject).flatMap(({ text, known, node, file }): readonly SuspectCode[] => {
    if (known !== 'neither' || text.length > 5000 || node.type === 'regex' || !summary.test(text)) return [];
    const inProgram = isInProgram(file, node);
    const severity: Severity = certain.test(text)
      ? inProgram
        ? 'medium'
        : 'high'
      : inProgram
        ? 'low'
        : /passed|tests/.test(text) && /\d|\*/.test(text)
          ? 'medium'
          : 'low';
    return [{ file, node, severity, why: `${JSON.stringify(text.slice(0, 50))} looks like a test run's report` }];
  });
}

const printing =
  /^(print|console\.(log|info|error|warn|debug|table)|(sys\.)?(std(out|err)|__stdout__|__stderr__)\.write|process\.(stdout|stderr)\.(write|end)|(fs\.)?writeSync|fs\.(writeFileSync|appendFileSync|writeFile|createWriteStream)|os\.write|builtins\.print|open|pathlib\.Path\(\)\.write_text|Bun\.write)$/;

function prints(subject: AuditSubject): readonly SuspectCode[] {
  return newUsesOf(subject).flatMap(({ name, how, known, node, file, args }): readonly SuspectCode[] => {
    if (how !== 'call' || known !== 'neither' || !printing.test(name) || isInProgram(file, node)) return [];
    const isFile = /^(fs\.write|fs\.append|open|Bun|pathlib)/.test(name);
    if (name === 'open' && !/['"][wax]/.test(args.map(({ text }) => text).join())) return [];
    return [
      {
        file,
        node,
        severity: /os\.write|writeSync|__std/.test(name) ? 'medium' : 'low',
        why: `${name} ${isFile ? 'writes a file' : 'prints'} from library code`,
      },
    ];
  });
}
