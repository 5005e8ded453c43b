import type { SyntaxNode } from '../../parse/syntax-node.js';
import { resolvePath } from '../paths.js';
import type { CalledFunction } from './callee.js';
import type { CodeText } from './code-text.js';
import type { CodeScope } from './scope.js';

/** What a program does to its surroundings, one call at a time. Texts hold `*` for what is not known. */
export type CodeAction = {
  /** Offsets in the program. */
  readonly start: number;
  readonly end: number;
} & (
  | { readonly kind: 'read' | 'search' | 'delete' | 'mention'; readonly paths: readonly string[] }
  | { readonly kind: 'write'; readonly paths: readonly string[]; readonly text: string | undefined; readonly isAppend: boolean }
  | { readonly kind: 'copy' | 'move' | 'link'; readonly from: readonly string[]; readonly to: readonly string[] }
  | { readonly kind: 'mode'; readonly paths: readonly string[] }
  | { readonly kind: 'shell'; readonly texts: readonly CodeText[] }
  | { readonly kind: 'argv'; readonly words: readonly CodeText[] }
  | { readonly kind: 'evaluate'; readonly texts: readonly CodeText[] }
  | { readonly kind: 'network'; readonly targets: readonly string[] }
  | { readonly kind: 'environment'; readonly name: string; readonly value: string | undefined }
  | { readonly kind: 'print'; readonly texts: readonly CodeText[] }
);

/** An action whose place in the program is not noted yet. */
export type UnplacedAction = CodeAction extends infer Each ? (Each extends CodeAction ? Omit<Each, 'start' | 'end'> : never) : never;

/** A call, with what is known of its arguments. */
export interface ReadCall extends CalledFunction {
  readonly scope: CodeScope;
  /** Paths that an expression may stand for. */
  paths(argument: SyntaxNode | undefined): string[];
  /** Texts that an expression may have. */
  texts(argument: SyntaxNode | undefined): readonly CodeText[];
}

/** A relative import starts at the file that it stands in. */
export function besideFile(path: string, { file }: CodeScope): string {
  return file !== undefined && path.startsWith('.') ? resolvePath({ path, cwd: file.replace(/\/[^/]*$/, '') }) : path;
}
