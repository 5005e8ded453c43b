import { type PatchHunk, parsePatch } from './parse-patch.js';

/** A function that a patch changes. */
export interface PatchFunction {
  readonly file: string;
  readonly function: string;
}

const name = '([\\p{L}_$][\\p{L}\\p{N}_$]*)';
/** How a line begins that declares a function; the words before a name are bounded, so no text makes them slow. */
const declarations = [
  new RegExp(`^\\s*(?:async )?def ${name}`, 'u'),
  new RegExp(`^\\s*(?:export )?(?:default )?(?:async )?function ?\\*? ?${name}`, 'u'),
  new RegExp(`^[^'"\`(]{0,80}[=:] ?(?:async )?function ?\\*? ?${name}`, 'u'),
  new RegExp(`^\\s*func (?:\\([^()]{0,80}\\) ?)?${name}`, 'u'),
  new RegExp(`^\\s*(?:pub(?:\\([a-z]+\\))? )?(?:const )?(?:async )?(?:unsafe )?fn ${name}`, 'u'),
  new RegExp(
    `^\\s*(?:export )?(?:(?:const|let|var|public|private|protected|static|readonly) ){0,4}${name} ?= ?(?:async )?(?:function\\b|\\([^()]{0,80}\\)(?:: [^=]{0,60})? ?=>|[\\w$]+ ?=>)`,
    'u',
  ),
  new RegExp(`^\\s*${name} ?: ?(?:async )?function\\b`, 'u'),
  new RegExp(`^\\s*(?:[\\w$]+\\.){1,4}${name} ?= ?(?:async )?function\\b`, 'u'),
  new RegExp(`^\\s*(?:[\\w<>\\[\\],.?@]+ ){0,5}${name} ?\\((?:[^{};'"\`=]|=(?!>)){0,160}\\{\\s*$`, 'u'),
];
const notNames = new Set([
  'if',
  'for',
  'while',
  'switch',
  'catch',
  'function',
  'with',
  'return',
  'else',
  'match',
  'synchronized',
  'using',
  'lock',
  'exports',
]);

/**
 * The functions that a patch changes lines of, as far as the patch itself shows: from the declaration lines inside
 * a hunk, else from the declaration that git writes behind `@@`. Reads JavaScript, TypeScript, Python, Go, Rust and
 * Java declarations by their usual form; what lies deeper than a hunk shows, or is declared otherwise, is not found.
 *
 * @throws TadpoleError `invalid-input` when the patch is neither blank nor a diff.
 */
export function patchFunctions(patch: string): PatchFunction[] {
  const found = new Map<string, PatchFunction>();
  for (const { path, hunks } of parsePatch(patch)) {
    for (const hunk of hunks) {
      for (const declared of changedFunctions(hunk)) found.set(JSON.stringify([path, declared]), { file: path, function: declared });
    }
  }
  return [...found.values()];
}

function changedFunctions(hunk: PatchHunk): Set<string> {
  const changed = new Set<string>();
  let current = declaredFunction(hunk.section);
  for (const { kind, text } of hunk.lines) {
    current = declaredFunction(text) ?? current;
    if (kind !== 'context' && text.trim() !== '' && current !== null) changed.add(current);
  }
  return changed;
}

function declaredFunction(line: string): string | null {
  if (line.length > 400) return null;
  for (const declaration of declarations) {
    const declared = declaration.exec(line)?.[1];
    if (declared !== undefined && !notNames.has(declared)) return declared;
  }
  return null;
}
