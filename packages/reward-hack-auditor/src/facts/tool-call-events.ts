import type { CallRecord } from './calls.js';
import type { CodeSource } from './code-source.js';
import type { EventOrigin, EventRecorder } from './event-recorder.js';
import { resolvePath } from './paths.js';
import { runShell } from './shell/run-shell.js';
import type { ShellHost } from './shell/shell-state.js';

/** A call with what its events are given to. */
interface CallPlace {
  readonly call: CallRecord;
  readonly recorder: EventRecorder;
  readonly host: ShellHost;
}

/** Records what a call of a tool does: run a command or a program, go over the network, search, write, edit or read a file. */
export function recordToolCall(place: CallPlace): void {
  const { call, recorder } = place;
  const path = call.arguments.get('file_path')?.value;
  if (path === undefined && runCommandArgument(place)) return;
  recordRequests(place);
  const pattern = call.arguments.get('pattern')?.value;
  if (pattern !== undefined) recordSearch(place, pattern);
  else if (path !== undefined) recordFile(place, resolvePath({ path, cwd: recorder.subject.task.workspacePath }));
}

function originOf(call: CallRecord, argument: string): EventOrigin {
  return { call, source: undefined, evidence: call.cite(argument), isRun: true };
}

/** Runs the argument of a call that is a shell command or a program, by the customs of harnesses; false where it has none. */
function runCommandArgument({ call, recorder, host }: CallPlace): boolean {
  const name = ['command', 'cmd', 'script', 'code', 'keystrokes'].find((each) => call.arguments.has(each));
  const text = name === undefined ? undefined : call.arguments.get(name)?.value;
  if (name === undefined || text === undefined) return false;
  const language = name === 'code' && /python|ipython|jupyter/i.test(call.tool) ? 'python' : 'bash';
  const cite: CodeSource['cite'] = (start = 0, end = text.length) => call.cite(name, start, end);
  const cwd = recorder.subject.task.workspacePath;
  const source: CodeSource = { language, text, call, origin: 'command', depth: 0, isRun: true, cwd, cite };
  recorder.sources.push(source);
  if (language === 'bash') runShell({ source, host });
  else host.onProgram(source);
  return true;
}

function recordRequests({ call, recorder }: CallPlace): void {
  if (!/web|fetch|browse|http|search/i.test(call.tool)) return;
  for (const name of ['url', 'query']) {
    const target = call.arguments.get(name)?.value;
    if (target !== undefined) recorder.add({ ...originOf(call, name), kind: 'network', program: call.tool, target });
  }
}

/** A search for contents below a folder, or for names by a pattern of paths. */
function recordSearch({ call, recorder }: CallPlace, pattern: string): void {
  const root = resolvePath({ path: call.arguments.get('file_path')?.value ?? '.', cwd: recorder.subject.task.workspacePath });
  const origin = originOf(call, 'pattern');
  if (/grep|search/i.test(call.tool)) {
    recorder.add({ ...origin, kind: 'search', path: root, names: [], text: pattern });
    return;
  }
  const glob = resolvePath({ path: pattern, cwd: root });
  const cut = glob.search(/[*?[{]/);
  const folder = glob.slice(0, cut < 0 ? glob.length : Math.max(1, glob.lastIndexOf('/', cut)));
  const names = [glob.slice(folder.length).replace(/^\/(\*\*\/)?/, '')];
  recorder.add({ ...origin, kind: 'search', path: folder, names, text: undefined });
}

function recordFile(place: CallPlace, path: string): void {
  const { call, recorder } = place;
  const origin = originOf(call, 'file_path');
  const content = firstArgument(call, ['content', 'file_text', 'contents']);
  if (content) recorder.write(origin, { path, text: content.value, how: 'write' });
  else if (firstArgument(call, replacements)) recordEdit(place, path, origin);
  else recorder.add({ ...origin, kind: 'read', path, how: 'content' });
}

/** Arguments that hold the new text of an edit. */
const replacements = ['new_string', 'new_str', 'insert_text'];

function firstArgument(call: CallRecord, names: readonly string[]): { name: string; value: string } | undefined {
  const name = names.find((each) => call.arguments.has(each));
  const value = name === undefined ? undefined : call.arguments.get(name)?.value;
  return name === undefined || value === undefined ? undefined : { name, value };
}

function recordEdit({ call, recorder, host }: CallPlace, path: string, origin: EventOrigin): void {
  if (/^(error|failed|no (match|replacement))/i.test(call.observation.trim())) return;
  const old = firstArgument(call, ['old_string', 'old_str'])?.value;
  const next = firstArgument(call, replacements)?.value ?? '';
  const before = recorder.readFile(path);
  const isAll = call.values.replace_all === true;
  const fits = before !== undefined && old !== undefined && old !== '' && before.includes(old);
  const text = fits ? (isAll ? before.split(old).join(next) : before.replace(old, () => next)) : undefined;
  const source = editSource(call, path, next);
  recorder.write({ ...origin, source }, { path, text, how: 'edit' });
  if (source) host.onProgram(source);
}

const languages: readonly (readonly [name: RegExp, language: CodeSource['language']])[] = [
  [/\.py$/, 'python'],
  [/\.[cm]?jsx?$/, 'javascript'],
  [/\.[cm]?tsx?$/, 'typescript'],
  [/\.sh$/, 'bash'],
];

/** The new text of an edit, as a program of its own: what stood in the file before is not the policy's. */
function editSource(call: CallRecord, path: string, text: string): CodeSource | undefined {
  const language = languages.find(([name]) => name.test(path))?.[1];
  if (language === undefined) return undefined;
  const argument = firstArgument(call, replacements)?.name ?? 'new_string';
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
