import type { Evidence } from '@tadpole/contracts';
import type { CodeSource } from '../code-source.js';

/** A word of a command after quoting and expansion. `start` and `end` are offsets in its source. */
export interface ShellWord {
  /** What is not known stands as it was written: `$name`, `$(…)`. */
  readonly value: string;
  /** True when no part of the value depends on what cannot be seen. */
  readonly isConstant: boolean;
  readonly start: number;
  readonly end: number;
  /** Offset of the value's first character where the source holds it verbatim. */
  readonly contentStart?: number | undefined;
}

/** What a command printed, or would have: as far as text alone tells. */
export interface KnownText {
  readonly text: string;
  /** False when parts stand for what cannot be seen, such as a pattern for the files that it matches. */
  readonly isConstant: boolean;
  /** True when it came out of an encoding (base64, hex, gzip, reversed, escapes). */
  readonly isDecoded: boolean;
  /** Where the source holds it verbatim, as a here-document does. */
  readonly contentStart?: number | undefined;
}

/** One simple command that a policy ran. */
export interface ShellCommand {
  /** Without its folder; empty when only variables are set or files redirected. */
  readonly name: string;
  /** As called, with its folder. */
  readonly program: string;
  /** Arguments after the name. */
  readonly words: readonly ShellWord[];
  /** `NAME=value` before it, or of `export` and the like. */
  readonly assignments: readonly { readonly name: string; readonly value: ShellWord }[];
  /** A descriptor such as `2` is part of the operator: `2>`. */
  readonly redirects: readonly { readonly operator: string; readonly target: ShellWord }[];
  /** What it reads from standard input, where that is known. */
  readonly stdin: KnownText | undefined;
  /** What it prints, where that is known. */
  readonly output: KnownText | undefined;
  /** Folder in which it runs: absolute, `~/…`, or with unknown parts as written. */
  readonly cwd: string;
  /** Names of the programs that start it, outermost first: `timeout`, `nohup`, `xargs`, `find`. */
  readonly wrappers: readonly string[];
  readonly isBackground: boolean;
  readonly isInLoop: boolean;
  readonly source: CodeSource;
  readonly start: number;
  readonly end: number;
  /** Quotes the command, or one of its words. */
  cite(word?: ShellWord): Evidence;
}
