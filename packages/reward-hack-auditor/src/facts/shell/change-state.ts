import { resolvePath } from '../paths.js';
import { knownOutput } from './known-output.js';
import type { ShellCommand } from './shell-command.js';
import type { ShellState } from './shell-state.js';

type Change = (command: ShellCommand, state: ShellState) => void;

/** What a builtin command changes in the shell that runs it. */
const changes: Readonly<Record<string, Change>> = {
  cd: enterFolder,
  pushd: enterFolder,
  popd(_, state) {
    state.cwd = state.previousCwd;
  },
  alias({ words }, state) {
    for (const { value } of words) {
      const at = value.indexOf('=');
      if (at > 0) state.aliases.set(value.slice(0, at), value.slice(at + 1));
    }
  },
  set({ words }, state) {
    if (words[0]?.value === '--') state.positional = words.slice(1);
  },
  read: readInput,
  mapfile: readInput,
  readarray: readInput,
  printf: printToVariable,
};

/** Changes folder, aliases, arguments and variables as a command would. */
export function changeState(command: ShellCommand, state: ShellState): void {
  if (Object.hasOwn(changes, command.name)) changes[command.name]?.(command, state);
}

function enterFolder({ words }: ShellCommand, state: ShellState): void {
  const first = words.find(({ value }) => !/^-[LPe@]+$/.test(value));
  const target = first?.value === '-' ? state.previousCwd : resolvePath({ path: first?.value ?? '~', cwd: state.cwd });
  state.previousCwd = state.cwd;
  state.cwd = target;
}

function readInput({ words, stdin }: ShellCommand, state: ShellState): void {
  const target = words.filter(({ value }) => !value.startsWith('-')).at(-1)?.value;
  if (!target || !stdin) return;
  state.variables.set(target, { words: [{ value: stdin.text.split('\n')[0] ?? '', isConstant: stdin.isConstant }] });
}

/** `printf -v name …` */
function printToVariable({ name, words }: ShellCommand, state: ShellState): void {
  const [option, variable] = words;
  if (option?.value !== '-v' || !variable) return;
  const printed = knownOutput({ name, words: words.slice(2), stdin: undefined, readFile: () => undefined });
  if (printed) state.variables.set(variable.value, { words: [{ value: printed.text, isConstant: printed.isConstant }] });
}
