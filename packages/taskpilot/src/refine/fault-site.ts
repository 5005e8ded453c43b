import type { Candidate, SpanEdit } from '@tadpole/contracts';
import { spanEditsOf } from '../edit/span-edits-of.js';
import type { MutationSite, ParsedFile } from '../generator/mutation-site.js';
import { parseSources } from '../generator/parse-sources.js';
import { functionAround } from '../generator/statements.js';
import { nodeCovering, type SyntaxNode } from '../generator/syntax-node.js';
import { createParserCache } from '../generator/syntax-parser.js';
import type { MeasuredTask } from './refinement-move.js';

/** Where the one bug of a task lies. `source.tree` must be deleted by whoever asked. */
export interface FaultSite {
  readonly source: ParsedFile;
  readonly edits: readonly SpanEdit[];
  /** The nearest function around all of them. */
  readonly around: SyntaxNode;
}

/** Reads the place of a bug that lies in one function of a language known here; `null` for any other. Throws as `parseSources` does. */
export async function openFaultSite(options: { task: MeasuredTask; signal: AbortSignal | undefined }): Promise<FaultSite | null> {
  const { task, signal } = options;
  const { candidate, snapshot } = task;
  const edits = spanEditsOf(candidate) ?? [];
  const file = edits[0]?.file ?? '';
  if (!snapshot.sourceFiles.includes(file) || edits.some((edit) => edit.file !== file)) return null;
  const [source] = await parseSources({ snapshot: { ...snapshot, sourceFiles: [file] }, parsers: createParserCache(), signal });
  if (source === undefined) return null;
  const around = functionAround(nodeCovering(source.root, spanOf(edits)), source.language);
  if (around !== null) return { source, edits, around };
  source.tree.delete();
  return null;
}

/** From the start of the first edit to the end of the last. */
export function spanOf(edits: readonly { readonly start: number; readonly end: number }[]): { start: number; end: number } {
  return { start: Math.min(...edits.map(({ start }) => start)), end: Math.max(...edits.map(({ end }) => end)) };
}

/** A bug of one operator at a site, as a candidate. */
export function candidateAt(site: MutationSite): Candidate {
  const { file } = site.source;
  const edits = site.replacements.map((replacement) => ({ file, ...replacement }));
  return { edits, lineage: { generator: 'refinement', operator: site.operator, file, line: site.line } };
}
