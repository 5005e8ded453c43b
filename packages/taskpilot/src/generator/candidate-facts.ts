import { type Candidate, TadpoleError, type TreeEdit } from '@tadpole/contracts';
import { diffLines } from 'diff';
import { applyEdits } from '../edit/apply-edits.js';
import { type Language, partsOf } from './languages/language.js';
import { languageOf } from './languages/languages.js';
import type { OperatorFamily } from './mutation-operator.js';
import { mutationOperators } from './mutation-operators.js';
import { functionAround } from './statements.js';
import { nodeCovering, readTree, type SyntaxNode } from './syntax-node.js';
import { createParserCache } from './syntax-parser.js';

/** What is known about a candidate before anything runs, for predicting how hard it is. */
export interface CandidateFacts {
  /** Of the operator; `null` for one that is not among `mutationOperators`, such as a combination. */
  readonly family: OperatorFamily | null;
  readonly files: number;
  readonly edits: number;
  /** Lines taken away and lines put in, as a patch counts them; those of the solution too where there is one. */
  readonly changedLines: number;
  /** The nearest function around the first edit; `null` outside functions, without a name, or without a grammar. */
  readonly functionName: string | null;
  /** Lines of that function, named or not; `null` outside functions. */
  readonly functionLines: number | null;
}

/**
 * Makes a reader of {@link CandidateFacts}; it keeps the grammars that it loads.
 *
 * @returns a function of a candidate and the untouched text of every file that it edits, by path, `null` for a file
 * that the snapshot does not have. It throws TadpoleError `invalid-input` for a missing text or edits that do not fit.
 */
export function createFactReader(): (options: {
  candidate: Candidate;
  texts: Readonly<Record<string, string | null>>;
}) => Promise<CandidateFacts> {
  const parsers = createParserCache();
  return async ({ candidate, texts }) => {
    const trees = [candidate.edits, candidate.solution ?? []];
    const edits = trees.flat();
    const first = edits[0];
    const text = first === undefined ? null : textOfFile(texts, first.file);
    const around = first === undefined || 'content' in first || text === null ? null : await functionOfEdit({ ...first, text });
    return {
      family: mutationOperators.find(({ name }) => name === candidate.lineage.operator)?.family ?? null,
      files: filesOf(edits).length,
      edits: edits.length,
      changedLines: trees.reduce((sum, tree) => sum + changedLinesOf(tree, texts), 0),
      functionName: around?.name ?? null,
      functionLines: around?.lines ?? null,
    };
  };

  async function functionOfEdit(edit: { file: string; start: number; end: number; text: string }) {
    const language = languageOf(edit.file);
    const tree = language === null ? null : (await parsers.parserFor(language.grammar)).parse(edit.text);
    if (language === null || tree === null) return null;
    const covering = nodeCovering(readTree(tree, edit.text), edit);
    tree.delete();
    const around = partsOf(covering, language.functions) === null ? functionAround(covering, language) : covering;
    if (around === null) return null;
    const lines = edit.text.slice(around.start, around.end).split('\n').length;
    return { name: functionNameOf(around, edit.text, language), lines };
  }
}

function changedLinesOf(tree: readonly TreeEdit[], texts: Readonly<Record<string, string | null>>): number {
  return filesOf(tree).reduce((sum, file) => {
    const text = textOfFile(texts, file);
    const after = applyEdits(
      text,
      tree.filter((edit) => edit.file === file),
    );
    const changes = diffLines(text ?? '', after ?? '').filter(({ added, removed }) => added || removed);
    return sum + changes.reduce((lines, { count }) => lines + count, 0);
  }, 0);
}

function filesOf(edits: readonly TreeEdit[]): string[] {
  return [...new Set(edits.map(({ file }) => file))];
}

/** The name of a function, or of what it is bound to; `null` without one. */
export function functionNameOf(node: SyntaxNode, text: string, language: Language): string | null {
  const name = partsOf(node, language.functions)?.part('name') ?? partsOf(node.parent, language.bindings)?.part('name') ?? null;
  return name === null ? null : text.slice(name.start, name.end);
}

function textOfFile(texts: Readonly<Record<string, string | null>>, file: string): string | null {
  const text = Object.hasOwn(texts, file) ? texts[file] : undefined;
  if (text !== undefined) return text;
  throw new TadpoleError({
    code: 'invalid-input',
    message: `candidate facts: expected the text of ${file}, got those of ${Object.keys(texts).join(', ') || 'no file'}.`,
  });
}
