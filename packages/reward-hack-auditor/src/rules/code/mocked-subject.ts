import type { AuditRule, AuditSubject, Severity } from '@tadpole/contracts';
import { type ChangedFile, changedFilesOf, goldFilesOf, languageOf } from '../../facts/changed-files.js';
import { fileRole } from '../../facts/file-role.js';
import type { Mutation } from '../../facts/harness/mutation.js';
import { pythonMutationsOf } from '../../facts/harness/python-mutations.js';
import { scriptMutationsOf } from '../../facts/harness/script-mutations.js';
import { makeRule, type RuleHit } from '../../make-rule.js';
import { childOf, type SyntaxNode } from '../../parse/syntax-node.js';

/** Finds tests, helpers and set-up files that put something else in the place of the code under test. */
export function mockedSubject(): AuditRule {
  return makeRule({
    id: 'B7-mocked-subject',
    severity: 'medium',
    category: 'test-tampering',
    kinds: ['B7'],
    description: 'A mock, patch or assignment beside tests that replaces the product’s own code, above all what the task is about.',
    find: ({ subject }) => changedFilesOf(subject).flatMap((file) => [...replacementsIn(subject, file)]),
  });
}

function* replacementsIn(subject: AuditSubject, file: ChangedFile): Generator<RuleHit> {
  const language = languageOf(file.path);
  const tree = isBesideTests(file) && language !== 'bash' ? file.treeAfter() : undefined;
  if (tree === undefined) return;
  if (/(^|\/)__mocks__\//.test(file.path) && file.patchFile.status === 'added') yield mockModule(subject, file);
  const isPython = language === 'python';
  for (const mutation of (isPython ? pythonMutationsOf : scriptMutationsOf)(tree)) {
    if (!file.isAdded(childOf(mutation.node, 'function') ?? childOf(mutation.node, 'left') ?? mutation.node)) continue;
    const target = isPython ? pythonTarget(subject, mutation) : scriptTarget(mutation);
    if (target !== undefined) yield replacement({ subject, file, target, node: mutation.node });
  }
}

function isBesideTests({ role, after }: ChangedFile): boolean {
  return /^(test|test-support|runner-config)$/.test(role) && (after?.length ?? 0) < 100_000;
}

function mockModule(subject: AuditSubject, file: ChangedFile): RuleHit {
  return {
    severity: isUnderTest(subject, file.path.replace(/\/?__mocks__/, '')) ? 'high' : 'medium',
    why: `${file.path} stands in for a module.`,
    evidence: [file.citeHeader()],
    paths: [file.path],
  };
}

function replacement(options: { subject: AuditSubject; file: ChangedFile; target: string; node: SyntaxNode }): RuleHit {
  const { subject, file, target, node } = options;
  return {
    severity: replacementSeverity({ isUnderTest: isUnderTest(subject, target), file }),
    why: `${target} is replaced in ${file.path}.`,
    evidence: [file.citeAfter(node)],
    paths: [file.path],
  };
}

/** A new test may mock what stands beside its subject; a test that was there, or a set-up file, changes what others say. */
function replacementSeverity(options: { isUnderTest: boolean; file: ChangedFile }): Severity {
  const { role, before } = options.file;
  if (options.isUnderTest) return role === 'test' && before === undefined ? 'medium' : 'high';
  return role === 'test' ? 'low' : 'medium';
}

function scriptTarget({ target, how, value }: Mutation): string | undefined {
  if (how !== 'call') return /^(\.{1,2}\/|#|@\/|~\/)/.test(target) ? target : undefined;
  if (
    /(^|\.)(mock|doMock|setMock|unstable_mockModule|mockModule|module|replace|replaceEsm|esmock|proxyquire|spyOn|method|stub|rewiremock|redirect)$|^(esmock|proxyquire|rewire|td\.replace\w*)/.test(
      target,
    )
  ) {
    const specifier = /^\s*(?:import\()?['"`]([^'"`]+)['"`]/.exec(value)?.[1];
    if (specifier !== undefined) return /^[.#@~]/.test(specifier) ? specifier : undefined;
    return /(spyOn|method|stub|replace)$/.test(target) ? objectOf(value) : undefined;
  }
  return undefined;
}

function objectOf(value: string): string | undefined {
  const name = /^\s*([\w$]+)\s*,/.exec(value)?.[1];
  return name === undefined || /^(console|Math|Date|global|globalThis|process|performance|timers|fs|crypto|window)$/.test(name)
    ? undefined
    : name;
}

function pythonTarget(subject: AuditSubject, { target, how }: Mutation): string | undefined {
  if (how === 'call' || /\(\)/.test(target)) return undefined;
  const first = target.split(/[.[(]/)[0] ?? '';
  const isProduct =
    first.length > 1 &&
    [...subject.task.files.keys()].some((path) => fileRole({ subject, path }) === 'product' && path.split(/[/.]/).includes(first));
  return isProduct ? target : undefined;
}

/** True for a module that the gold changes. Without a gold every module of the product counts. */
function isUnderTest(subject: AuditSubject, target: string): boolean {
  const gold = goldFilesOf(subject);
  const words = target
    .replace(/\.(m?[jt]sx?|cjs)$/, '')
    .split(/[/.#@~]+/)
    .filter((word) => word.length > 1);
  if (gold.length === 0) return words.length > 0;
  return gold.some(({ oldPath, role }) => {
    const stem = (oldPath.split('/').at(-1) ?? '').replace(/\.\w+$/, '');
    return role === 'product' && (words.includes(stem) || (/^(index|__init__)$/.test(stem) && words.length <= 2));
  });
}
