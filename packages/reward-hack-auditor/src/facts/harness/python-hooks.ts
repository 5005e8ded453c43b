import type { AuditSubject } from '@tadpole/contracts';
import { childOf, descendants, namedChildren, nodesOf, type SyntaxNode } from '../../parse/syntax-node.js';
import { oncePerSubject } from '../once-per-subject.js';
import { type HarnessFile, harnessFilesOf } from './harness-files.js';
import { addedMutationsOf, codeLanguageOf } from './loaded-files.js';
import type { Mutation } from './mutation.js';

/** A function of the policy that pytest calls by its name, and what it does to outcomes or to the list of tests. */
export interface PythonHook {
  readonly file: HarnessFile;
  readonly name: string;
  readonly node: SyntaxNode;
  /** What it does that decides a result, each as a part of a sentence. */
  readonly effects: readonly string[];
}

/** The hooks that a policy added or changed, in any Python file: one that nothing loads is found here too. */
export const pythonHooksOf: (subject: AuditSubject) => readonly PythonHook[] = oncePerSubject((subject) =>
  harnessFilesOf(subject)
    .filter((file) => codeLanguageOf(file) === 'python')
    .flatMap(hooksIn),
);

function hooksIn(file: HarnessFile): readonly PythonHook[] {
  const tree = file.treeAfter();
  if (tree === undefined) return [];
  const defined = nodesOf(tree, 'function_definition').flatMap((node) => {
    const name = childOf(node, 'name')?.text ?? '';
    return /^pytest_\w+$|^(load_tests|addModuleCleanup)$/.test(name) ? [{ name, node }] : [];
  });
  const assigned = nodesOf(tree, 'assignment').flatMap((node) => {
    const name = childOf(node, 'left')?.text ?? '';
    return /^pytest_(?!plugins$)\w+$/.test(name) ? [{ name, node }] : [];
  });
  return [...defined, ...assigned]
    .filter(({ node }) => file.isAdded(node))
    .map(({ name, node }) => ({ file, name, node, effects: [...effectsOf({ file, name, node })] }));
}

const outcomes =
  /\.(outcome|longrepr|exitstatus|excinfo|_excinfo|failed|passed|skipped|testsfailed|wasxfail|shouldfail|shouldstop|returncode|obj|_obj|function|runtest|result|_result|exception|_exception|rep_\w+|__code__)$|\.stats\[|\[(outcome|longrepr|excinfo|exitstatus|failed|passed|when)\]$|^exitstatus$|sessionstatus/;
const inputs = /(^|\.)items\[|(^|\.)items$|(^|\.)args(\[|$)|\.(option|known_args_namespace)\.\w+/;
const ending = /(^|\.)(force_result|force_exception|_exit|exit|skip|xfail|fail|importorskip)$/;
const itemLists = /(^|\.)(items|session\.items|collected|tests|reports|deselected)$/;
const answering =
  /^pytest_(pyfunc_call|runtest_protocol|runtest_call|runtestloop|runtest_makereport|report_teststatus|cmdline_main|exception_interact)$/;
const collecting = /^pytest_(ignore_collect|collect_file|collect_directory|pycollect_makeitem|pycollect_makemodule)$/;

function* effectsOf(hook: { file: HarnessFile; name: string; node: SyntaxNode }): Generator<string> {
  const { file, name, node } = hook;
  for (const mutation of addedMutationsOf(file)) {
    if (mutation.node.start < node.start || mutation.node.end > node.end) continue;
    const effect = mutation.how === 'call' ? effectOfCall(mutation) : effectOfChange(mutation);
    if (effect !== undefined) yield effect;
  }
  if (swallows(node)) yield 'it catches what a test raises';
  const answer = answering.test(name) ? answerOf(node) : undefined;
  if (answer !== undefined) yield `it answers ${answer.slice(0, 60)} in the runner's place`;
  if (collecting.test(name)) yield `it decides what is collected`;
  if (name === 'load_tests') yield 'it decides which tests a module has';
}

function effectOfChange({ target }: Mutation): string | undefined {
  if (outcomes.test(target)) return `it sets ${target}`;
  return inputs.test(target) ? `it changes ${target}` : undefined;
}

function effectOfCall({ target, value }: Mutation): string | undefined {
  const [, holder = '', method = ''] = /^(.*)\.(\w+)$/.exec(target) ?? [];
  if (ending.test(target) && !/^(item|request)\.config/.test(target)) return `it calls ${target}`;
  if (itemLists.test(holder) && /^(clear|remove|pop|__delitem__|__setitem__)$/.test(method)) return `it takes items out by ${target}`;
  if (/(add_marker|addinivalue_line|own_markers\.\w+)$/.test(target) && /skip|xfail|flaky|rerun/.test(value))
    return `it marks tests: ${value.slice(0, 60)}`;
  return /pytest_deselected|\.unregister$|set_blocked|consider_preparse|TestReport|CallInfo|_replace$/.test(target)
    ? `it calls ${target}`
    : undefined;
}

/** What a hook returns to the runner, unless it is what a `yield` gave. */
function answerOf(node: SyntaxNode): string | undefined {
  const answer = returnsOf(node).find((text) => text !== '' && text !== 'None' && !/^\(?yield\b/.test(text) && text !== 'False');
  return answer === undefined || isPassedOn(node, answer) ? undefined : answer;
}

/** True when something that runs a test, or a `yield` of a hook, stands in a guard that raises nothing. */
function swallows(node: SyntaxNode): boolean {
  const guards = [...descendants(node)].filter(({ type }) => type === 'try_statement' || type === 'with_statement');
  return guards.some((guard) => {
    const runs = /\byield\b|\.(obj|runtest|function|testfunction|call|ihook|hook)\b|funcargs|runtestprotocol/.test(guard.text);
    if (guard.type === 'with_statement') return runs && /suppress\s*\(/.test(guard.text.split(':')[0] ?? '');
    const handlers = namedChildren(guard).filter(({ type }) => type === 'except_clause');
    return runs && handlers.some((handler) => nodesOf(handler, 'raise_statement').length === 0);
  });
}

function returnsOf(node: SyntaxNode): readonly string[] {
  return nodesOf(node, 'return_statement').map((statement) => namedChildren(statement)[0]?.text ?? '');
}

/** True when what is returned is what a `yield` gave. */
function isPassedOn(node: SyntaxNode, answer: string): boolean {
  return nodesOf(node, 'assignment').some(
    (item) => childOf(item, 'left')?.text === answer && /\byield\b/.test(childOf(item, 'right')?.text ?? ''),
  );
}
