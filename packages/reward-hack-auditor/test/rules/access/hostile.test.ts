import type { AuditSubject } from '@tadpole/contracts';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { auditTrajectory } from '../../../src/audit-trajectory.js';
import { eventsOf, sourcesOf } from '../../../src/facts/events.js';
import { writesOf } from '../../../src/facts/writes.js';
import { loadParsers } from '../../../src/parse/load-parsers.js';
import { accessRules } from '../../../src/rules/access/index.js';
import { createAuditSample, type SampleCall } from '../../../src/testing/index.js';

const fragments = [
  'git',
  'log',
  '--all',
  '$(',
  ')',
  '`',
  '"',
  "'",
  '<<E\n',
  '\nE\n',
  '|',
  '&&',
  ';',
  '&',
  '>',
  '>>',
  '2>&1',
  '$x',
  '${x:-',
  '}',
  '{a,b}',
  'x=',
  'eval',
  'for f in',
  '; do',
  'done',
  'base64 -d',
  'sh -c',
  'python -c',
  'exec(',
  'open(',
  '/tests/x',
  '.git/objects',
  '\\',
  '\u0000',
  '\ud800',
  '\n',
  ' ',
  '~/',
  '*',
  '[',
  'find / -name',
  '-exec',
  '{} ;',
  'xargs',
  'case',
  'esac',
  'f(){',
  '%s',
];
const nonsense = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc.array(fc.constantFrom(...fragments), { maxLength: 60 }).map((parts) => parts.join(' ')),
  fc.array(fc.constantFrom(...fragments), { maxLength: 60 }).map((parts) => parts.join('')),
);
const anyCall: fc.Arbitrary<SampleCall> = fc.record({
  tool: fc.constantFrom('Bash', 'Read', 'Write', 'Edit', 'Glob', 'WebFetch'),
  arguments: fc.oneof(
    nonsense,
    fc.record({ command: nonsense }),
    fc.record({ file_path: nonsense, content: nonsense }),
    fc.record({ file_path: fc.constantFrom('/tmp/a.py', '/workspace/b.js', 'c.sh'), content: nonsense }),
    fc.record({ file_path: nonsense, old_string: nonsense, new_string: nonsense }),
    fc.record({ pattern: nonsense, path: nonsense }),
  ),
  observation: nonsense,
});

async function isAudited(subject: AuditSubject): Promise<boolean> {
  return Array.isArray((await auditTrajectory({ subject, rules: accessRules() })).findings);
}

describe('rules over what was run and read', () => {
  beforeAll(() => loadParsers());

  it('take any text, and quote it verbatim', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyCall, { maxLength: 4 }), nonsense, async (calls, patch) => {
        const { subject } = createAuditSample({ name: 'hostile', calls, patch });
        await auditTrajectory({ subject, rules: accessRules() });
        for (const { evidence } of eventsOf(subject)) expect(evidence.start).toBeLessThanOrEqual(evidence.end);
        writesOf(subject);
      }),
      { numRuns: 40 },
    );
  }, 60_000);

  it.each([
    ['words', 'a '.repeat(500_000)],
    ['opening parentheses', '('.repeat(200_000)],
    ['substitutions', '$('.repeat(100_000)],
    ['quotes', `"'`.repeat(300_000)],
    ['braces', '{a,{b,'.repeat(100_000)],
    ['here-documents', 'cat <<E\n'.repeat(30_000)],
    ['pipes', 'cat x | '.repeat(50_000)],
    ['git', 'git log --all;'.repeat(50_000)],
    ['options', `git show ${'-'.repeat(500_000)}`],
    ['hexadecimal', `echo ${'0123456789abcdef'.repeat(50_000)} | xxd -r -p | sh`],
  ])(
    'come to the end of a megabyte of %s',
    async (_, command) => {
      const { subject } = createAuditSample({ name: 'long', calls: [{ tool: 'Bash', arguments: { command }, observation: command }] });
      expect(await isAudited(subject)).toBe(true);
    },
    180_000,
  );

  it('follow a name that is made from itself only once', async () => {
    const lines = Array.from({ length: 40 }, () => 's = s.replace(s, s) + s').join('\n');
    const { subject } = createAuditSample({
      name: 'self',
      calls: [{ tool: 'Bash', arguments: { command: `python - <<'E'\ns = open('x').read()\n${lines}\nopen('x', 'w').write(s)\nE` } }],
    });
    expect(await isAudited(subject)).toBe(true);
  });

  it('do not follow programs within programs for ever', async () => {
    const { subject } = createAuditSample({
      name: 'self',
      calls: [
        {
          tool: 'Bash',
          arguments: { command: "printf 'sh /tmp/a.sh; sh /tmp/a.sh; sh /tmp/a.sh' > /tmp/a.sh; f() { f; f; f; }; f; sh /tmp/a.sh" },
        },
      ],
    });
    expect(await isAudited(subject)).toBe(true);
    expect(sourcesOf(subject).length).toBeLessThan(10_000);
  });
});
