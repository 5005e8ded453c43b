import type { CodeAction } from './code/code-action.js';
import { codeActions } from './code/code-actions.js';
import type { CodeSource } from './code-source.js';
import type { EventOrigin, EventRecorder } from './event-recorder.js';
import { resolvePath } from './paths.js';
import type { KnownText } from './shell/shell-command.js';
import type { ShellHost } from './shell/shell-state.js';

/** A program in Python, JavaScript or TypeScript, with what its events are given to. */
interface ProgramPlace {
  readonly source: CodeSource;
  readonly language: Exclude<CodeSource['language'], 'bash' | 'other'>;
  readonly recorder: EventRecorder;
  readonly host: ShellHost;
}

type PathAction = Extract<CodeAction, { readonly paths: readonly string[] }>;

/** Records what a program does; gives what it prints, as far as that is known. */
export function recordProgram(place: ProgramPlace): KnownText | undefined {
  const { source, language, recorder } = place;
  const readFile = (path: string) => recorder.readFile(resolvePath({ path, cwd: source.cwd }));
  let printed: KnownText | undefined;
  for (const action of codeActions({ language, text: source.text, file: source.file, readFile })) {
    if (action.kind !== 'print') recordAction(withNamedRoots(action), place);
    else printed = addLine(printed, action.texts[0]);
  }
  return printed;
}

function addLine(before: KnownText | undefined, line: KnownText | undefined): KnownText | undefined {
  if (!line) return before;
  return {
    text: `${before?.text ?? ''}${line.text}\n`,
    isConstant: line.isConstant && (before?.isConstant ?? true),
    isDecoded: line.isDecoded,
  };
}

/** A path of which only the end is known is one below a folder that has no name here, not one below the working directory. */
function withNamedRoots(action: CodeAction): CodeAction {
  if (!('paths' in action) || !action.paths.some((path) => path.startsWith('*'))) return action;
  const paths = action.paths.filter((path) => !/^\**$/.test(path)).map((path) => (path.startsWith('*') ? `$${path}` : path));
  return { ...action, paths };
}

function recordAction(action: CodeAction, place: ProgramPlace): void {
  const { source, recorder } = place;
  const origin: EventOrigin = { call: source.call, source, evidence: source.cite(action.start, action.end), isRun: source.isRun };
  switch (action.kind) {
    case 'read':
    case 'mention':
    case 'search':
    case 'delete':
    case 'mode':
    case 'write':
      for (const path of action.paths) recordPath(action, resolvePath({ path, cwd: source.cwd }), origin, recorder);
      return;
    case 'copy':
    case 'move':
    case 'link':
      recordTransfer(action, origin, place);
      return;
    case 'network':
      for (const target of action.targets) recorder.add({ ...origin, kind: 'network', program: source.language, target });
      return;
    case 'environment':
      recorder.add({ ...origin, kind: 'environment', name: action.name, value: action.value, isExported: true });
      return;
    default:
      runFromCode(action, place);
  }
}

function recordPath(action: PathAction, path: string, origin: EventOrigin, recorder: EventRecorder): void {
  switch (action.kind) {
    case 'read':
    case 'mention':
      recorder.add({ ...origin, kind: 'read', path, how: action.kind === 'read' ? 'content' : 'mention' });
      return;
    case 'search':
      recorder.add({ ...origin, kind: 'search', path, names: [] });
      return;
    case 'delete':
      recorder.remove(origin, path);
      return;
    case 'mode':
      recorder.write(origin, { path, text: undefined, how: 'mode' });
      return;
    default: {
      const before = action.isAppend && origin.isRun ? (recorder.readFile(path) ?? '') : '';
      const text = action.text === undefined ? undefined : before + action.text;
      recorder.write(origin, { path, text, how: action.isAppend ? 'append' : 'write' });
    }
  }
}

function recordTransfer(action: Extract<CodeAction, { from: unknown }>, origin: EventOrigin, { source, recorder }: ProgramPlace): void {
  const [target] = action.to;
  const to = target === undefined ? undefined : resolvePath({ path: target, cwd: source.cwd });
  for (const path of action.from) {
    const from = resolvePath({ path, cwd: source.cwd });
    recorder.add({ ...origin, kind: 'read', path: from, how: 'content' });
    if (to !== undefined) recorder.write(origin, { path: to, text: recorder.readFile(from), how: action.kind, from });
    if (action.kind === 'move') recorder.remove(origin, from, to);
  }
}

/** Runs the shell commands and programs that a program starts. */
function runFromCode(action: CodeAction, { source, host }: ProgramPlace): void {
  const run = (text: string, language: CodeSource['language'], isDecoded: boolean) => {
    if (text.trim() === '' || text === '*') return;
    host.onProgram({
      ...{ language, text, call: source.call, depth: source.depth + 1, isRun: source.isRun, cwd: source.cwd },
      origin: isDecoded ? 'decoded' : 'nested',
      cite: () => source.cite(action.start, action.end),
    });
  };
  if (action.kind === 'shell') for (const { text, isDecoded } of action.texts) run(text, 'bash', isDecoded);
  else if (action.kind === 'evaluate') for (const { text, isDecoded } of action.texts) run(text, source.language, isDecoded);
  else if (action.kind === 'argv') {
    const line = action.words.map(({ text }) => quote(text)).join(' ');
    const isDecoded = action.words.some((word) => word.isDecoded);
    run(line, 'bash', isDecoded);
  }
}

function quote(word: string): string {
  return /^[\w@%+=:,./*{}-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
