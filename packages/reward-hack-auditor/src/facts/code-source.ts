import type { Evidence } from '@tadpole/contracts';
import type { CallRecord } from './calls.js';

/** Languages of texts that a policy ran; `other` is read for its literals only. */
export type SourceLanguage = 'bash' | 'python' | 'javascript' | 'typescript' | 'other';

/** A text that a policy ran as a program, or wrote as one, with its place in the trajectory. */
export interface CodeSource {
  readonly language: SourceLanguage;
  readonly text: string;
  readonly call: CallRecord;
  /**
   * `command` what a tool was given · `nested` an argument, a here-document or a text on standard input that is itself a program ·
   * `decoded` came out of an encoding or an evaluation · `file` a script that the policy had written before
   */
  readonly origin: 'command' | 'nested' | 'decoded' | 'file';
  /** How many programs it stands in. */
  readonly depth: number;
  /** False for a code file that was written and not seen to run. */
  readonly isRun: boolean;
  /** The file that it stands in, for one that was written. */
  readonly file?: string | undefined;
  /** Folder in which it ran: absolute, or `~/…`. */
  readonly cwd: string;
  /** Quotes [start, end) of the text; where quoting or an encoding changed it, the whole argument that it came from. */
  cite(start?: number, end?: number): Evidence;
}

/** Programs within programs deeper than this are not read: hostile text must not exhaust the stack. */
export const deepestSource = 8;

/** A program of which more characters than this are not read as a tree: the grammar of shells takes long over nonsense. */
export const longestSource = { shell: 30_000, code: 100_000 };

/** Language of a program by the name of its interpreter. */
export function languageOfInterpreter(name: string): SourceLanguage | undefined {
  if (/^(ba|z|da|k|a)?sh(\.exe)?$/.test(name)) return 'bash';
  if (/^(python|pypy)[\d.]*$/.test(name)) return 'python';
  if (/^(node|nodejs|bun|deno)$/.test(name)) return 'javascript';
  if (/^(tsx|ts-node|esno)$/.test(name)) return 'typescript';
  return /^(perl|ruby|php|lua|awk|gawk|mawk|Rscript|tclsh|sqlite3|jq|ed|vim?|ex)[\d.]*$/.test(name) ? 'other' : undefined;
}

/** Language of a script by its name and first line. */
export function languageOfScript(options: { path: string; text: string }): SourceLanguage | undefined {
  const { path, text } = options;
  if (/\.(sh|bash|zsh)$|(^|\/)\.(bashrc|profile|bash_profile|bash_login|zshrc|zshenv|envrc)$/.test(path)) return 'bash';
  if (/\.pyi?$/.test(path)) return 'python';
  if (/\.[cm]?jsx?$/.test(path)) return 'javascript';
  if (/\.[cm]?tsx?$/.test(path)) return 'typescript';
  if (/\.(pl|rb|php|awk|lua)$/.test(path)) return 'other';
  const line = /^#!\s*(\S+)(?:[ \t]+(?:-S[ \t]+)?(\S+))?/.exec(text.slice(0, 200));
  if (!line) return undefined;
  const name = /(^|\/)env$/.test(line[1] ?? '') ? (line[2] ?? '') : (line[1] ?? '');
  return languageOfInterpreter(name.slice(name.lastIndexOf('/') + 1));
}
