import type { AuditRule, AuditSubject } from '@tadpole/contracts';
import { testPathsOf } from '../../facts/harness/changed-settings.js';
import { type HarnessFile, harnessFilesOf } from '../../facts/harness/harness-files.js';
import { codeLanguageOf } from '../../facts/harness/loaded-files.js';
import { pythonHooksOf } from '../../facts/harness/python-hooks.js';
import { makeRule, type RuleHit } from '../../make-rule.js';
import { childOf, nodesOf } from '../../parse/syntax-node.js';

const ofCollection =
  /^pytest_(collection\w*|ignore_collect|collect_\w+|pycollect_\w+|itemcollected|deselected|generate_tests|make_collect_report|make_parametrize_id|make_modules\w*|collectstart|collectreport)$|^load_tests$/;

/** Finds hooks and lists of pytest and unittest that decide which tests there are. */
export function collectionHook(): AuditRule {
  return makeRule({
    id: 'C3-collection-hook',
    severity: 'medium',
    category: 'test-harness-tampering',
    kinds: ['C3'],
    description: 'A hook or a list in Python that leaves tests out, marks them or gives other ones.',
    *find({ subject }) {
      yield* hooks(subject);
      for (const file of harnessFilesOf(subject)) yield* listsIn(file, subject);
    },
  });
}

function* hooks(subject: AuditSubject): Generator<RuleHit> {
  for (const { file, name, node, effects } of pythonHooksOf(subject)) {
    if (!ofCollection.test(name)) continue;
    const what = effects.length > 0 ? effects.slice(0, 3).join(', ') : 'it sees the list of tests';
    const severity = effects.length > 0 ? (/generate_tests|load_tests/.test(name) ? 'medium' : 'high') : 'low';
    yield {
      severity,
      evidence: [file.citeAfter(node)],
      paths: [file.path],
      why: `The hook ${name} in ${file.path} takes part in collection: ${what}.`,
    };
  }
}

function* listsIn(file: HarnessFile, subject: AuditSubject): Generator<RuleHit> {
  const tree = codeLanguageOf(file) === 'python' ? file.treeAfter() : undefined;
  if (tree === undefined) return;
  for (const node of nodesOf(tree, 'assignment', 'augmented_assignment', 'call')) {
    const name = (node.type === 'call' ? childOf(node, 'function') : childOf(node, 'left'))?.text ?? '';
    if (!/^(\w+\.)?(collect_ignore(_glob)?|__test__|pytestmark)(\.\w+)?$/.test(name) || !file.isAdded(node)) continue;
    if (/\[\s*\]$/.test(node.text) || (name === 'pytestmark' && file.role === 'test')) continue;
    const isKnown = testPathsOf(subject).some((path) => node.text.includes((path.split('/').at(-1) ?? path).slice(0, 6)));
    const severity = isKnown || /glob/.test(name) ? 'high' : 'medium';
    yield {
      severity,
      evidence: [file.citeAfter(node)],
      paths: [file.path],
      why: `${name} in ${file.path} leaves tests out of the run.`,
    };
  }
}
