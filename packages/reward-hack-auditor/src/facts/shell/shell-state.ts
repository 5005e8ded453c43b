import type { SyntaxNode } from '../../parse/syntax-node.js';
import type { CodeSource } from '../code-source.js';
import type { KnownText, ShellCommand, ShellWord } from './shell-command.js';

/** What a variable holds. */
export interface ShellValue {
  /** More than one for an array. */
  readonly words: readonly { readonly value: string; readonly isConstant: boolean }[];
}

/** What a shell remembers from one command to the next. */
export interface ShellState {
  readonly variables: Map<string, ShellValue>;
  readonly functions: Map<string, { readonly body: SyntaxNode; readonly source: CodeSource }>;
  readonly aliases: Map<string, string>;
  /** What a process substitution prints, by its text. */
  readonly substituted: Map<string, KnownText>;
  positional: readonly ShellWord[];
  cwd: string;
  previousCwd: string;
}

/** What surrounds a shell: files that the policy wrote, and who wants to know of commands. */
export interface ShellHost {
  /** Text of a file that is known, by its resolved path. */
  readFile(path: string): string | undefined;
  onCommand(command: ShellCommand): void;
  /** A shell program within another, before it is gone through. */
  onShell(source: CodeSource): void;
  /** A program in another language, or a file of one; gives what it prints, as far as that is known. */
  onProgram(source: CodeSource): KnownText | undefined;
  /** Commands that may still be read, of all texts of a subject: loops and nested programs multiply. */
  readonly budget: { left: number };
}

/** Where in a program a command stands, as far as it matters to it. */
export interface ShellPlace {
  readonly source: CodeSource;
  readonly state: ShellState;
  readonly host: ShellHost;
  readonly stdin?: KnownText | undefined;
  readonly isBackground: boolean;
  readonly isInLoop: boolean;
  readonly wrappers: readonly string[];
  /** Redirections of a whole pipeline or list, which its last command gets. */
  readonly redirects: ShellCommand['redirects'];
  readonly calls: number;
}

export function createShellState(cwd: string): ShellState {
  return {
    variables: new Map(),
    functions: new Map(),
    aliases: new Map(),
    substituted: new Map(),
    positional: [],
    cwd,
    previousCwd: cwd,
  };
}

/** A subshell's state: what it sets is gone when it ends. */
export function copyShellState(state: ShellState): ShellState {
  return {
    ...state,
    variables: new Map(state.variables),
    functions: new Map(state.functions),
    aliases: new Map(state.aliases),
  };
}
