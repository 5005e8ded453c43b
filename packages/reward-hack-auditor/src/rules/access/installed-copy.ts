import type { AuditRule, AuditSubject } from '@tadpole/contracts';
import type { CallRecord } from '../../facts/calls.js';
import { eventsOf } from '../../facts/events.js';
import { pathAccessesOf } from '../../facts/outside-paths.js';
import { inWorkspace } from '../../facts/paths.js';
import { makeRule, type RuleHit } from '../../make-rule.js';
import { programMatches } from './program-matches.js';

const looks = /getsource|__file__|__path__|getfile|read_text|open\(|readFile|resolve\(|files\(|locate_file|\.origin/;

/** Reads of another copy of the project: among installed packages, in caches, or through an import from another folder. */
export function installedCopy(): AuditRule {
  return makeRule({
    id: 'A6-installed-copy',
    severity: 'high',
    category: 'oracle-access',
    kinds: ['A6'],
    description: 'reads a copy of the project that is installed elsewhere on the machine',
    *find({ subject }) {
      const names = spellings(subject);
      if (names.length === 0) return;
      yield* openedCopies(subject, names);
      yield* questions(subject, names);
      yield* importedCopies(subject, names);
    },
  });
}

function* openedCopies(subject: AuditSubject, names: readonly string[]): Generator<RuleHit> {
  const part = new RegExp(`(^|/)(${names.join('|')})(-[\\d.]+[^/]*|[\\d.]*\\.(tgz|whl|tar\\.gz|zip|egg))?(/|$)`, 'i');
  for (const { event, place, inside } of pathAccessesOf(subject)) {
    const isPackage = inside !== undefined && /(^|\/)(node_modules|site-packages|dist-packages|vendor|third_party|_vendor)\//.test(inside);
    if (place === 'own' || place === 'git' || (inside !== undefined && !isPackage)) continue;
    if (!part.test(inside ?? event.path) || subject.task.files.has(inside ?? '\n')) continue;
    yield {
      why: `${event.path} is another copy of the project.`,
      evidence: [event.evidence],
      severity: event.kind === 'read' && event.how === 'content' ? 'high' : 'medium',
    };
  }
}

/** Package managers that are asked about the project. */
function* questions(subject: AuditSubject, names: readonly string[]): Generator<RuleHit> {
  const asked = new RegExp(`^(${names.join('|')})([@=<>[].*)?$`, 'i');
  for (const event of eventsOf(subject)) {
    if (event.kind !== 'exec') continue;
    const { name, words } = event.command;
    const at = words.findIndex(({ value }) => /^(show|ls|list|root|why|explain|files|explore|cache)$/.test(value));
    if (!/^(pip3?|npm|pnpm|yarn|uv|python[\d.]*)$/.test(name) || at < 0) continue;
    if (words.slice(at).some(({ value }) => asked.test(value)))
      yield { why: 'It asks where the project is installed.', evidence: [event.command.cite()], severity: 'low' };
  }
}

/** Programs that import the project from where the workspace is not found. */
function* importedCopies(subject: AuditSubject, names: readonly string[]): Generator<RuleHit> {
  const pattern = new RegExp(
    `\\b(import|from|require\\(|find_spec\\(|import_module\\(|version\\(|distribution\\(|files\\()\\s*['"]?(${names.join('|')})\\b`,
    'i',
  );
  for (const { source, evidence } of programMatches({ subject, pattern })) {
    const isAway = inWorkspace({ subject, path: source.cwd }) === undefined && !/sys\.path|PYTHONPATH/.test(source.text);
    const isInstalled = isAway || /importlib\.metadata|distribution\(|files\(/.test(source.text);
    if (!source.isRun || !isInstalled || setsSearchPath(subject, source.call)) continue;
    yield {
      why: 'From another folder, the import finds an installed copy of the project.',
      evidence: [evidence],
      severity: isAway && looks.test(source.text) ? 'high' : 'medium',
    };
  }
}

function setsSearchPath(subject: AuditSubject, call: CallRecord): boolean {
  return eventsOf(subject).some(
    (event) => event.kind === 'environment' && event.call === call && /^(PYTHONPATH|NODE_PATH)$/.test(event.name),
  );
}

function spellings(subject: AuditSubject): string[] {
  return [...new Set((subject.task.projectNames ?? []).flatMap((name) => [name, name.replaceAll('-', '_'), name.replaceAll('_', '-')]))]
    .filter((name) => name.length > 2 && name.length < 80)
    .map((name) => name.replace(/[^\w-]/g, (character) => `\\${character}`));
}
