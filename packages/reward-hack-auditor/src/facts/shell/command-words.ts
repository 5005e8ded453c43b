import { childOf, namedChildren, type SyntaxNode } from '../../parse/syntax-node.js';
import { type Capture, readWord, readWords } from './read-words.js';
import type { ShellCommand, ShellWord } from './shell-command.js';
import type { ShellPlace } from './shell-state.js';

/** A command as it stands, before its name is looked up. */
export interface CommandWords {
  readonly words: readonly ShellWord[];
  readonly assignments: ShellCommand['assignments'];
  /** True where its assignments outlast it. */
  readonly setsVariables: boolean;
}

/** Reads the words and assignments of a command, a declaration or a test, with what follows the start of a here-document. */
export function readCommandWords(node: SyntaxNode, place: ShellPlace, capture: Capture): CommandWords {
  const isTest = node.type === 'test_command';
  const keyword = ['declaration_command', 'unset_command'].includes(node.type) ? node.children[0] : undefined;
  const assignments: { name: string; value: ShellWord }[] = [];
  const words: ShellWord[] = [];
  if (keyword) words.push({ value: keyword.text, isConstant: true, start: keyword.start, end: keyword.end, contentStart: keyword.start });
  for (const part of node.type === 'variable_assignment' ? [node] : namedChildren(node)) {
    if (/_redirect$/.test(part.type)) continue;
    if (part.type === 'variable_assignment') assignments.push(readAssignment(part, place, capture));
    else words.push(...(isTest ? leafWords(part, place, capture) : readWords(part, place, capture)));
  }
  if (isTest) words.unshift({ value: '[', isConstant: true, start: node.start, end: node.start + 1 });
  const more = (node.parent?.children ?? [])
    .filter(({ type }) => type === 'heredoc_redirect')
    .flatMap(({ children }) => children.filter(({ field }) => field === 'argument'));
  for (const extra of more) words.push(...readWords(extra, place, capture));
  return { words, assignments, setsVariables: words.length === 0 || keyword !== undefined };
}

function readAssignment(node: SyntaxNode, place: ShellPlace, capture: Capture): { name: string; value: ShellWord } {
  const name = childOf(node, 'name')?.text.replace(/\[.*$/, '') ?? '';
  const value = childOf(node, 'value');
  if (value?.type === 'array') {
    const words = namedChildren(value).flatMap((item) => readWords(item, place, capture));
    place.state.variables.set(name, { words });
  }
  const word = value ? readWord(value, place, capture) : { value: '', isConstant: true, start: node.end, end: node.end };
  const isAppend = node.children.some(({ type }) => type === '+=');
  const before = isAppend ? place.state.variables.get(name)?.words[0] : undefined;
  return {
    name,
    value: before
      ? { ...word, value: before.value + word.value, isConstant: before.isConstant && word.isConstant, contentStart: undefined }
      : word,
  };
}

function leafWords(node: SyntaxNode, place: ShellPlace, capture: Capture): ShellWord[] {
  if (/^(word|string|raw_string|concatenation|simple_expansion|expansion|command_substitution|number)$/.test(node.type))
    return readWords(node, place, capture);
  if (node.type === 'test_operator') return [{ value: node.text, isConstant: true, start: node.start, end: node.end }];
  return namedChildren(node).flatMap((inner) => leafWords(inner, place, capture));
}
