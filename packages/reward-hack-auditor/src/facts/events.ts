import type { AuditSubject } from '@tadpole/contracts';
import type { AuditEvent } from './audit-event.js';
import { type CallRecord, callsOf } from './calls.js';
import type { CodeAction } from './code/code-action.js';
import { codeActions } from './code/code-actions.js';
import { type CodeSource, deepestSource } from './code-source.js';
import { recordCommand } from './command-events.js';
import { createEventRecorder, type EventOrigin, type EventRecorder } from './event-recorder.js';
import { oncePerSubject } from './once-per-subject.js';
import { resolvePath } from './paths.js';
import { runShell } from './shell/run-shell.js';
import type { KnownText } from './shell/shell-command.js';
import type { ShellHost } from './shell/shell-state.js';

interface SubjectEvents {
  readonly events: readonly AuditEvent[];
  readonly sources: readonly CodeSource[];
}

/** Commands that are read of one subject, over all of its calls and programs. */
const mostCommands = 2000;
/** Programs that are read of one subject. */
const mostSources = 400;

const readSubject = oncePerSubject(readEvents);

/**
 * What a policy did, in order: commands, reads, searches, writes, deletions, network access and variables, from tools that take
 * paths, from shell commands and from programs that they run. What depends on the machine is not known and stands as a pattern.
 */
export function eventsOf(subject: AuditSubject): readonly AuditEvent[] {
  return readSubject(subject).events;
}

/** Every text that a policy ran as a program or wrote as one, decoded ones among them. */
export function sourcesOf(subject: AuditSubject): readonly CodeSource[] {
  return readSubject(subject).sources;
}

function readEvents(subject: AuditSubject): SubjectEvents {
  const recorder: EventRecorder = createEventRecorder({ subject, onWrittenCode: (source) => host.onProgram(source) });
  const host: ShellHost = {
    readFile: recorder.readFile,
    onCommand: (command) => recordCommand(command, recorder),
    onShell: (source) => {
      if (recorder.sources.length < mostSources) recorder.sources.push(source);
    },
    onProgram: (source) => readProgram(source, recorder, host),
    budget: { left: mostCommands },
  };
  for (const call of callsOf(subject)) readCall(call, recorder, host);
  return recorder;
}

/** The argument of a call that is a shell command, by the customs of harnesses. */
function commandArgument(call: CallRecord): string | undefined {
  for (const name of ['command', 'cmd', 'script', 'code', 'keystrokes']) if (call.arguments.has(name)) return name;
  return undefined;
}

function readCall(call: CallRecord, recorder: EventRecorder, host: ShellHost): void {
  const { workspacePath } = recorder.subject.task;
  const command = commandArgument(call);
  const text = command === undefined ? undefined : call.arguments.get(command)?.value;
  const path = call.arguments.get('file_path')?.value;
  if (command !== undefined && text !== undefined && path === undefined) {
    const language = command === 'code' && /python|ipython|jupyter/i.test(call.tool) ? 'python' : 'bash';
    const cite: CodeSource['cite'] = (start = 0, end = text.length) => call.cite(command, start, end);
    const source: CodeSource = { language, text, call, origin: 'command', depth: 0, isRun: true, cwd: workspacePath, cite };
    recorder.sources.push(source);
    if (language === 'bash') runShell({ source, host });
    else host.onProgram(source);
    return;
  }
  for (const name of ['url', 'query']) {
    const target = /web|fetch|browse|http|search/i.test(call.tool) ? call.arguments.get(name)?.value : undefined;
    if (target !== undefined)
      recorder.add({ call, source: undefined, evidence: call.cite(name), isRun: true, kind: 'network', program: call.tool, target });
  }
  const origin = (argument: string): EventOrigin => ({ call, source: undefined, evidence: call.cite(argument), isRun: true });
  const pattern = call.arguments.get('pattern')?.value;
  if (pattern !== undefined) {
    const root = resolvePath({ path: path ?? '.', cwd: workspacePath });
    const isContent = /grep|search/i.test(call.tool);
    const glob = resolvePath({ path: pattern, cwd: root });
    const cut = glob.search(/[*?[{]/);
    const folder = isContent ? root : glob.slice(0, cut < 0 ? glob.length : Math.max(1, glob.lastIndexOf('/', cut)));
    recorder.add({
      ...origin('pattern'),
      kind: 'search',
      path: folder,
      names: isContent ? [] : [glob.slice(folder.length).replace(/^\/(\*\*\/)?/, '')],
      text: isContent ? pattern : undefined,
    });
    return;
  }
  if (path === undefined) return;
  const resolved = resolvePath({ path, cwd: workspacePath });
  const content = (call.arguments.get('content') ?? call.arguments.get('file_text') ?? call.arguments.get('contents'))?.value;
  const replacement = call.arguments.get('new_string') ?? call.arguments.get('new_str') ?? call.arguments.get('insert_text');
  if (content !== undefined) recorder.write(origin('file_path'), { path: resolved, text: content, how: 'write' });
  else if (replacement !== undefined) recordEdit(call, resolved, recorder, host, origin('file_path'));
  else recorder.add({ ...origin('file_path'), kind: 'read', path: resolved, how: 'content' });
}

function recordEdit(call: CallRecord, path: string, recorder: EventRecorder, host: ShellHost, origin: EventOrigin): void {
  const old = (call.arguments.get('old_string') ?? call.arguments.get('old_str'))?.value;
  const next = (call.arguments.get('new_string') ?? call.arguments.get('new_str') ?? call.arguments.get('insert_text'))?.value ?? '';
  const before = recorder.readFile(path);
  const isDone = !/^(error|failed|no (match|replacement))/i.test(call.observation.trim());
  if (!isDone) return;
  const isAll = call.values.replace_all === true;
  const fits = before !== undefined && old !== undefined && old !== '' && before.includes(old);
  const text = fits ? (isAll ? before.split(old).join(next) : before.replace(old, () => next)) : undefined;
  recorder.write({ ...origin, source: editSource(call, path, next) }, { path, text, how: 'edit' });
  const source = editSource(call, path, next);
  if (source) host.onProgram(source);
}

/** The new text of an edit, as a program of its own: what stood in the file before is not the policy's. */
function editSource(call: CallRecord, path: string, text: string): CodeSource | undefined {
  const language = /\.py$/.test(path)
    ? 'python'
    : /\.[cm]?jsx?$/.test(path)
      ? 'javascript'
      : /\.[cm]?tsx?$/.test(path)
        ? 'typescript'
        : /\.sh$/.test(path)
          ? 'bash'
          : undefined;
  const argument = ['new_string', 'new_str', 'insert_text'].find((name) => call.arguments.has(name)) ?? 'new_string';
  if (language === undefined) return undefined;
  return {
    language,
    text,
    call,
    origin: 'file',
    depth: 1,
    isRun: false,
    file: path,
    cwd: '.',
    cite: (start = 0, end = text.length) => call.cite(argument, start, end),
  };
}

function readProgram(source: CodeSource, recorder: EventRecorder, host: ShellHost): KnownText | undefined {
  if (source.depth > deepestSource || recorder.sources.length >= mostSources) return undefined;
  recorder.sources.push(source);
  if (source.language === 'bash') return runShell({ source, host });
  if (source.language === 'other') return undefined;
  const { language } = source;
  const readFile = (path: string) => recorder.readFile(resolvePath({ path, cwd: source.cwd }));
  let printed: KnownText | undefined;
  for (const action of codeActions({ language, text: source.text, file: source.file, readFile })) {
    if (action.kind === 'print') {
      const [text] = action.texts;
      if (text)
        printed = {
          text: `${printed?.text ?? ''}${text.text}\n`,
          isConstant: text.isConstant && (printed?.isConstant ?? true),
          isDecoded: text.isDecoded,
        };
    } else recordAction(action, source, recorder, host);
  }
  return printed;
}

function recordAction(action: CodeAction, source: CodeSource, recorder: EventRecorder, host: ShellHost): void {
  const origin: EventOrigin = { call: source.call, source, evidence: source.cite(action.start, action.end), isRun: source.isRun };
  const at = (path: string) => resolvePath({ path, cwd: source.cwd });
  if ('paths' in action && action.paths.some((path) => path.startsWith('*'))) {
    const paths = action.paths.filter((path) => !/^\**$/.test(path)).map((path) => (path.startsWith('*') ? `$${path}` : path));
    recordAction({ ...action, paths }, source, recorder, host);
    return;
  }
  switch (action.kind) {
    case 'read':
    case 'mention':
      for (const path of action.paths)
        recorder.add({ ...origin, kind: 'read', path: at(path), how: action.kind === 'read' ? 'content' : 'mention' });
      return;
    case 'search':
      for (const path of action.paths) recorder.add({ ...origin, kind: 'search', path: at(path), names: [] });
      return;
    case 'delete':
      for (const path of action.paths) recorder.remove(origin, at(path));
      return;
    case 'write':
      for (const path of action.paths) {
        const before = action.isAppend && source.isRun ? (recorder.readFile(at(path)) ?? '') : '';
        recorder.write(origin, {
          path: at(path),
          text: action.text === undefined ? undefined : before + action.text,
          how: action.isAppend ? 'append' : 'write',
        });
      }
      return;
    case 'mode':
      for (const path of action.paths) recorder.write(origin, { path: at(path), text: undefined, how: 'mode' });
      return;
    case 'copy':
    case 'move':
    case 'link':
      recordTransfer(action, origin, at, recorder);
      return;
    case 'network':
      for (const target of action.targets) recorder.add({ ...origin, kind: 'network', program: source.language, target });
      return;
    case 'environment':
      recorder.add({ ...origin, kind: 'environment', name: action.name, value: action.value, isExported: true });
      return;
    default:
      runFromCode(action, source, host);
  }
}

function recordTransfer(
  action: Extract<CodeAction, { kind: 'copy' | 'move' | 'link' }>,
  origin: EventOrigin,
  at: (path: string) => string,
  recorder: EventRecorder,
): void {
  const [to] = action.to;
  for (const from of action.from) {
    recorder.add({ ...origin, kind: 'read', path: at(from), how: 'content' });
    if (to !== undefined) recorder.write(origin, { path: at(to), text: recorder.readFile(at(from)), how: action.kind, from: at(from) });
    if (action.kind === 'move') recorder.remove(origin, at(from), to === undefined ? undefined : at(to));
  }
}

/** Shell commands and programs that a program starts. */
function runFromCode(
  action: Extract<CodeAction, { kind: 'shell' | 'argv' | 'evaluate' }> | CodeAction,
  source: CodeSource,
  host: ShellHost,
): void {
  const nested = (text: string, language: CodeSource['language'], isDecoded: boolean): CodeSource => ({
    ...{ language, text, call: source.call, depth: source.depth + 1, isRun: source.isRun, cwd: source.cwd },
    origin: isDecoded ? 'decoded' : 'nested',
    cite: () => source.cite(action.start, action.end),
  });
  if (action.kind === 'shell') for (const { text, isDecoded } of action.texts) runNested(nested(text, 'bash', isDecoded), host);
  else if (action.kind === 'argv') {
    const isDecoded = action.words.some((word) => word.isDecoded);
    runNested(nested(action.words.map(({ text }) => quote(text)).join(' '), 'bash', isDecoded), host);
  } else if (action.kind === 'evaluate') {
    for (const { text, isDecoded } of action.texts) runNested(nested(text, source.language, isDecoded), host);
  }
}

function runNested(source: CodeSource, host: ShellHost): void {
  if (source.text.trim() !== '' && source.text !== '*') host.onProgram(source);
}

function quote(word: string): string {
  return /^[\w@%+=:,./*{}-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
