import { parseSource } from '../../parse/load-parsers.js';
import { childOf, descendants, namedChildren, type SyntaxNode } from '../../parse/syntax-node.js';
import { nestingOf } from './nesting-of.js';

/** A command of a script whose failure does not reach the script's exit status. */
export interface LostStatus {
  /** The command's source. */
  readonly command: string;
  /** How its status is lost, as a part of a sentence. */
  readonly how: string;
}

const deepest = 200;

interface Fate {
  readonly isLost: boolean;
  readonly how: string;
}

const kept: Fate = { isLost: false, how: '' };
const fails = /\b(exit|return)\s+("?\$|[1-9])|\bfalse\b|\bexit\s*($|[;})])|process\.exit\(\s*[1-9]|sys\.exit\(\s*[1-9]/;
const asksStatus = /\$\?|\$\{?PIPESTATUS|\bstatus=|\brc=/;

/**
 * Follows exit statuses through a shell script: what stands before `;` or `|`, left of `||`, under `!`, in the background or in a
 * condition is lost, unless the shell stops at errors (`isErrexit`, `set -e`, `pipefail`) or something asks for the status. Not
 * followed: functions, `eval`, values that are only known when it runs.
 */
export function lostStatuses(options: { text: string; isErrexit?: boolean | undefined }): readonly LostStatus[] {
  const { text } = options;
  if (nestingOf(text) > deepest) return [];
  const isErrexit = options.isErrexit === true || /(^|[;&|\s])set\s+-\w*e|set\s+-o\s+errexit|^#!.*sh\s+-\w*e/m.test(text);
  const stopsErrexit = /(^|[;&|\s])set\s+\+\w*e/m.test(text);
  const hasPipefail = /pipefail/.test(text);
  const lost: LostStatus[] = [];
  const trap = /\btrap\s+(['"])[^'"]*\bexit\s+0[^'"]*\1/.test(text) ? { isLost: true, how: 'a trap ends the script with 0' } : kept;
  visit(parseSource({ language: 'bash', text }), trap, { stops: isErrexit && !stopsErrexit, hasPipefail, lost });
  return lost;
}

interface Script {
  readonly stops: boolean;
  readonly hasPipefail: boolean;
  readonly lost: LostStatus[];
}

function visit(node: SyntaxNode, fate: Fate, script: Script): void {
  switch (node.type) {
    case 'program':
    case 'compound_statement':
    case 'subshell':
    case 'do_group':
    case 'function_definition':
      visitSequence(node, fate, script);
      return;
    case 'list':
      visitList(node, fate, script);
      return;
    case 'pipeline': {
      const parts = namedChildren(node);
      parts.forEach((part, index) => {
        const isLast = index === parts.length - 1;
        visit(part, isLast || script.hasPipefail ? fate : { isLost: true, how: 'only the last command of a pipe counts' }, script);
      });
      return;
    }
    case 'negated_command':
      visitChildren(node, { isLost: true, how: 'its status is turned round' }, script);
      return;
    case 'if_statement':
    case 'while_statement':
      visitBranches(node, fate, script);
      return;
    case 'command':
    case 'test_command':
      if (fate.isLost) script.lost.push({ command: node.text, how: fate.how });
      for (const inner of descendants(node)) {
        if (inner.type === 'command_substitution') visitChildren(inner, { isLost: true, how: 'only its output is used' }, script);
      }
      return;
    default:
      visitChildren(node, fate, script);
      return;
  }
}

function visitChildren(node: SyntaxNode, fate: Fate, script: Script): void {
  for (const child of namedChildren(node)) visit(child, fate, script);
}

function visitSequence(node: SyntaxNode, fate: Fate, script: Script): void {
  let isAsked = false;
  let isAwaited = false;
  let isLast = true;
  const fates: (readonly [SyntaxNode, Fate])[] = [];
  for (let index = node.children.length - 1; index >= 0; index -= 1) {
    const statement = node.children[index];
    if (statement === undefined || !statement.isNamed || statement.type === 'comment') continue;
    const isBackground = node.children[index + 1]?.type === '&' && !isAwaited;
    if (isBackground) fates.push([statement, { isLost: true, how: 'it runs in the background' }]);
    else if (isLast || script.stops || isAsked) fates.push([statement, fate]);
    else fates.push([statement, { isLost: true, how: 'the script goes on after it and ends with another status' }]);
    isLast = false;
    isAsked ||= asksStatus.test(statement.text);
    isAwaited ||= /\bwait\b/.test(statement.text);
  }
  for (const [statement, own] of fates.reverse()) visit(statement, own, script);
}

function visitList(node: SyntaxNode, fate: Fate, script: Script): void {
  const [left, right] = namedChildren(node);
  const isOr = node.children.some(({ type }) => type === '||');
  if (left !== undefined) {
    const isLost = isOr && right !== undefined && !fails.test(right.text) && !(asksStatus.test(right.text) && fails.test(right.text));
    visit(left, isLost ? { isLost: true, how: 'what stands after || takes its place' } : fate, script);
  }
  if (right !== undefined) visit(right, fate, script);
}

function visitBranches(node: SyntaxNode, fate: Fate, script: Script): void {
  const rest = node.children.filter(({ type }) => type === 'else_clause' || type === 'elif_clause');
  const isAnswered = rest.some(({ text }) => fails.test(text)) || (/^if\s*!/.test(node.text) && fails.test(node.text));
  for (const child of namedChildren(node)) {
    const isCondition = child.field === 'condition' || child === childOf(node, 'condition');
    visit(child, isCondition && !isAnswered ? { isLost: true, how: 'it is a condition without a failing branch' } : fate, script);
  }
}
