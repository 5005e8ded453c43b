import { parseSource } from '../../parse/load-parsers.js';
import { childOf, namedChildren, type SyntaxNode } from '../../parse/syntax-node.js';
import { type CodeSource, deepestSource, longestSource } from '../code-source.js';
import { resolvePath } from '../paths.js';
import { changeState } from './change-state.js';
import { readCommandWords } from './command-words.js';
import { execWords, giveArguments } from './given-arguments.js';
import { knownOutput } from './known-output.js';
import { nestedPrograms } from './nested-programs.js';
import { noCommands, readRedirects } from './read-redirects.js';
import { readWord, readWords } from './read-words.js';
import type { KnownText, ShellCommand, ShellWord } from './shell-command.js';
import { copyShellState, createShellState, type ShellHost, type ShellPlace, type ShellState } from './shell-state.js';
import { unwrapWords } from './unwrap-words.js';

/** A loop over more values than this is read for the first ones. */
const mostRounds = 12;
/** Functions that call functions are followed so far. */
const deepestCall = 8;

/**
 * Goes through a shell program as a shell would, without running anything: every branch is taken, a loop over known values is
 * gone through value by value, known variables, functions and aliases are expanded, programs within it are read. Gives what it prints,
 * where that is known. Not covered: arithmetic, patterns in parameter expansions, what commands that are not known would print.
 */
export function runShell(options: {
  source: CodeSource;
  host: ShellHost;
  state?: ShellState;
  isBackground?: boolean;
  wrappers?: readonly string[];
}): KnownText | undefined {
  const { source, host, state = createShellState(source.cwd), isBackground = false, wrappers = [] } = options;
  if (source.depth > deepestSource || host.budget.left <= 0) return undefined;
  const tree = parseSource({ language: 'bash', text: source.text.slice(0, longestSource.shell) });
  return runAll(tree.children, { source, host, state, isBackground, isInLoop: false, wrappers, redirects: [], calls: 0 });
}

function runAll(nodes: readonly SyntaxNode[], place: ShellPlace): KnownText | undefined {
  const parts: (KnownText | undefined)[] = [];
  const runnable = nodes.filter(({ isNamed, type }) => isNamed && !noCommands.has(type));
  const last = runnable.at(-1);
  for (const [index, node] of nodes.entries()) {
    if (!node.isNamed || noCommands.has(node.type)) continue;
    const isBackground = place.isBackground || nodes[index + 1]?.type === '&';
    parts.push(runNode(node, { ...place, isBackground, redirects: node === last ? place.redirects : [] }));
  }
  return joinTexts(parts);
}

function joinTexts(parts: readonly (KnownText | undefined)[]): KnownText | undefined {
  const known = parts.filter((part) => part !== undefined);
  if (known.length === 0) return undefined;
  if (known.length === 1) return known[0];
  return {
    text: known.map(({ text }) => text).join(''),
    isConstant: known.length === parts.length && known.every(({ isConstant }) => isConstant),
    isDecoded: known.some(({ isDecoded }) => isDecoded),
  };
}

function runNode(node: SyntaxNode, place: ShellPlace): KnownText | undefined {
  switch (node.type) {
    case 'command':
    case 'declaration_command':
    case 'unset_command':
    case 'test_command':
      return runCommand(node, place);
    case 'variable_assignment':
    case 'variable_assignments':
      return runCommand(node, place);
    case 'pipeline': {
      const commands = namedChildren(node);
      let { stdin } = place;
      let isBackground = place.isBackground;
      for (const [index, command] of commands.entries()) {
        const isLast = index === commands.length - 1;
        stdin = runNode(command, { ...place, stdin, isBackground, redirects: isLast ? place.redirects : [] });
        isBackground = place.isBackground;
      }
      return stdin;
    }
    case 'redirected_statement':
      return runRedirected(node, place);
    case 'subshell':
      return runAll(node.children, { ...place, state: copyShellState(place.state) });
    case 'for_statement':
      return runFor(node, place);
    case 'while_statement':
    case 'c_style_for_statement':
      return runAll(node.children, { ...place, isInLoop: true });
    case 'function_definition': {
      const [name] = namedChildren(node);
      const body = childOf(node, 'body');
      if (name && body) place.state.functions.set(name.text, { body, source: place.source });
      return undefined;
    }
    case 'word':
    case 'string':
    case 'concatenation':
    case 'simple_expansion':
    case 'expansion':
    case 'raw_string':
      readWord(node, place, capture);
      return undefined;
    default:
      return runAll(node.children, place);
  }
}

function capture(nodes: readonly SyntaxNode[], place: ShellPlace): KnownText | undefined {
  const state = copyShellState(place.state);
  const redirect = nodes.find(({ type }) => type === 'file_redirect');
  const target = redirect && childOf(redirect, 'destination');
  const commands = nodes.filter(({ isNamed, type }) => isNamed && type !== 'file_redirect');
  if (target && commands.length === 0) {
    const word = readWord(target, place, capture);
    const redirects = [{ operator: '<', target: word }];
    return finish({ words: [], assignments: [], node: target, redirects, place: { ...place, state, redirects: [] } });
  }
  return runAll(nodes, { ...place, state, stdin: undefined, redirects: [], isBackground: false });
}

function runFor(node: SyntaxNode, place: ShellPlace): KnownText | undefined {
  const variable = childOf(node, 'variable')?.text ?? '';
  const body = childOf(node, 'body');
  const values = node.children.filter(({ field }) => field === 'value').flatMap((value) => readWords(value, place, capture));
  const rounds = values.length === 0 ? place.state.positional : values;
  if (!body) return undefined;
  const parts = rounds.slice(0, mostRounds).map((word) => {
    place.state.variables.set(variable, { words: [word] });
    return runNode(body, { ...place, isInLoop: true });
  });
  if (rounds.length === 0) return runNode(body, { ...place, isInLoop: true });
  return joinTexts(parts);
}

function runRedirected(node: SyntaxNode, place: ShellPlace): KnownText | undefined {
  const body = childOf(node, 'body');
  const found = readRedirects(node.children, place, capture);
  const inner = { ...place, stdin: found.stdin ?? place.stdin, redirects: [...found.redirects, ...place.redirects] };
  const isGroup =
    body !== undefined &&
    ['compound_statement', 'subshell', 'if_statement', 'case_statement', 'for_statement', 'while_statement'].includes(body.type);
  let output: KnownText | undefined;
  if (body && isGroup) {
    output = runNode(body, { ...inner, redirects: [] });
    finish({ words: [], assignments: [], node, redirects: inner.redirects, place: { ...inner, redirects: [] }, output });
  } else if (body) output = runNode(body, inner);
  else finish({ words: [], assignments: [], node, redirects: inner.redirects, place: { ...inner, redirects: [] } });
  for (const next of found.following) {
    const isPipe = next.type === 'pipeline';
    output = runNode(next, { ...place, stdin: isPipe ? output : place.stdin });
  }
  return output;
}

function runCommand(node: SyntaxNode, place: ShellPlace): KnownText | undefined {
  const own = readRedirects(node.children, place, capture);
  const inner: ShellPlace = { ...place, stdin: own.stdin ?? place.stdin };
  const { words, assignments, setsVariables } = readCommandWords(node, inner, capture);
  if (setsVariables) for (const { name, value } of assignments) place.state.variables.set(name, { words: [value] });
  const redirects = [...own.redirects, ...place.redirects];
  let last = finish({ words, assignments, node, redirects, place: { ...inner, redirects: [] } });
  for (const next of own.following) last = runNode(next, { ...place, redirects: [], stdin: next.type === 'pipeline' ? last : undefined });
  return last;
}

/** Expands what the name of a command stands for, records it, and reads the programs in it. */
function finish(options: {
  words: readonly ShellWord[];
  assignments: ShellCommand['assignments'];
  node: Pick<SyntaxNode, 'start' | 'end'>;
  redirects: ShellCommand['redirects'];
  place: ShellPlace;
  output?: KnownText | undefined;
}): KnownText | undefined {
  const { assignments, node, redirects, place } = options;
  const { state, host, source } = place;
  let { words } = options;
  host.budget.left -= 1;
  if (host.budget.left < 0) return undefined;
  const alias = words[0] && state.aliases.get(words[0].value);
  if (alias && words[0]) {
    const [first] = words;
    words = [...alias.split(/\s+/).map((value) => ({ ...first, value, contentStart: undefined })), ...words.slice(1)];
  }
  const called = words[0] && state.functions.get(words[0].value);
  if (called && place.calls < deepestCall) {
    const before = state.positional;
    state.positional = words.slice(1);
    const output = runNode(called.body, { ...place, source: called.source, redirects, calls: place.calls + 1 });
    state.positional = before;
    return output;
  }
  const unwrapped = unwrapWords(words);
  const wrappers = [...place.wrappers, ...unwrapped.wrappers];
  const stdinFile = redirects.find(({ operator }) => /^0?<$/.test(operator));
  const readFile = (word: ShellWord): KnownText | undefined => {
    const substituted = state.substituted.get(word.value);
    if (substituted) return substituted;
    const text = host.readFile(resolvePath({ path: word.value, cwd: state.cwd }));
    return text === undefined ? undefined : { text, isConstant: true, isDecoded: false };
  };
  const stdin = stdinFile ? readFile(stdinFile.target) : place.stdin;
  let rest = unwrapped.words;
  if (unwrapped.wrappers.includes('xargs') || unwrapped.wrappers.includes('parallel')) rest = giveArguments({ words: rest, stdin, node });
  const program = rest[0]?.value ?? '';
  const name = program.slice(program.lastIndexOf('/') + 1);
  const cwd = unwrapped.directory === undefined ? state.cwd : resolvePath({ path: unwrapped.directory, cwd: state.cwd });
  const printed = options.output ?? (rest.length === 0 ? stdin : knownOutput({ name, words: rest.slice(1), stdin, readFile }));
  const command: ShellCommand = {
    ...{ name, program, redirects, stdin, cwd, wrappers, source },
    words: rest.slice(1),
    assignments: [...assignments, ...unwrapped.assignments],
    output: printed,
    isBackground: place.isBackground,
    isInLoop: place.isInLoop,
    start: node.start,
    end: node.end,
    cite: (word) => (word ? source.cite(word.start, word.end) : source.cite(node.start, node.end)),
  };
  host.onCommand(command);
  changeState(command, state);
  const nested = runNested(command, { ...place, wrappers, redirects: [] });
  return nested ?? printed;
}

function runNested(command: ShellCommand, place: ShellPlace): KnownText | undefined {
  const { host, state } = place;
  if (command.source.depth >= deepestSource) return undefined;
  let printed: KnownText | undefined;
  for (const words of execWords(command)) {
    const wrappers = [...place.wrappers, command.name];
    const node = { start: words[0]?.start ?? command.start, end: words.at(-1)?.end ?? command.end };
    finish({ words, assignments: [], node, redirects: [], place: { ...place, wrappers } });
  }
  for (const { source, positional, isSameShell } of nestedPrograms({ command, place })) {
    if (source.language !== 'bash') printed = host.onProgram(source);
    else {
      const next = isSameShell ? state : { ...createShellState(command.cwd), variables: new Map(state.variables), positional };
      host.onShell(source);
      printed = runShell({ source, host, state: next, isBackground: command.isBackground, wrappers: command.wrappers });
    }
  }
  return printed;
}
