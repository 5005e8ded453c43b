import { type Candidate, type Snapshot, type SpanEdit, TadpoleError } from '@tadpole/contracts';
import { spanEditsOf } from '../edit/span-edits-of.js';
import { throwIfAborted } from '../throw-if-aborted.js';
import type { MutationOperator, Replacement } from './mutation-operator.js';
import { mutationOperators } from './mutation-operators.js';
import { collectSites, type MutationSite, type ParsedFile } from './mutation-site.js';
import { parseSources } from './parse-sources.js';
import { parsesClean } from './parses-clean.js';
import { shuffle } from './shuffle.js';
import { functionAround, statementAround } from './statements.js';
import { descendants, nodeCovering, type SyntaxNode } from './syntax-node.js';
import { createParserCache } from './syntax-parser.js';

/**
 * Widens a candidate of one operator by a second site of the same operator, in another function or file, whose line
 * shares a name with the first: the same mistake made twice. The places with most names in common come first, at
 * random among equals. Lineage: generator `widening`, operator `widen-same-file` or `widen-across-files`, file and line
 * of the given candidate.
 *
 * @throws TadpoleError `invalid-input` for a candidate of no such operator or file, `storage` for a source file that
 * cannot be read, `aborted` by the signal.
 */
export async function* widenCandidate(options: {
  snapshot: Snapshot;
  /** Of a generator with these operators, and of this snapshot. */
  candidate: Candidate;
  /** Uniform in [0, 1). */
  random: () => number;
  /** @default {@link mutationOperators} */
  operators?: readonly MutationOperator[];
  signal?: AbortSignal;
}): AsyncGenerator<Candidate> {
  const { snapshot, candidate, random, operators = mutationOperators, signal } = options;
  const operator = operators.find(({ name }) => name === candidate.lineage.operator);
  if (operator === undefined) {
    throw invalid(`one of ${operators.map(({ name }) => name).join(', ')}`, candidate.lineage.operator);
  }
  const own = spanEditsOf(candidate);
  if (own === null) throw invalid('edits of spans alone', 'whole files or a solution');
  const files = await parseSources({ snapshot, parsers: createParserCache(), signal });
  try {
    const home = files.find(({ file }) => file === candidate.lineage.file);
    if (home === undefined) throw invalid('a file of the snapshot that has a grammar', candidate.lineage.file);
    const sites = files.flatMap((source) => collectSites({ source, operators: [operator] }));
    for (const site of rank({ sites: shuffle(sites, { random }), home, edits: own })) {
      throwIfAborted(signal, 'Widening a candidate');
      const isHome = site.source.file === home.file;
      const replacements = isHome ? merged(own, site) : site.replacements;
      if (replacements === null || !parsesClean({ source: site.source, replacements })) continue;
      const edits = [...own, ...site.replacements.map((part) => ({ file: site.source.file, ...part }))];
      const { file, line } = candidate.lineage;
      yield { edits, lineage: { generator: 'widening', operator: isHome ? 'widen-same-file' : 'widen-across-files', file, line } };
    }
  } finally {
    for (const { tree } of files) tree.delete();
  }
}

/** Sites elsewhere that share names with the candidate's place, those with most first. */
function rank(options: { sites: readonly MutationSite[]; home: ParsedFile; edits: readonly SpanEdit[] }): MutationSite[] {
  const { sites, home, edits } = options;
  const own = edits.find(({ file }) => file === home.file) ?? { start: 0, end: 0 };
  const names = namesAt(home, own);
  const around = functionOf(home, own);
  return sites
    .filter(
      ({ source, replacements: [first] }) => first !== undefined && (source.file !== home.file || functionOf(source, first) !== around),
    )
    .map((site) => ({ site, shared: [...namesAt(site.source, site.replacements[0] ?? own)].filter((name) => names.has(name)).length }))
    .filter(({ shared }) => shared > 0)
    .sort((left, right) => right.shared - left.shared)
    .map(({ site }) => site);
}

function functionOf(source: ParsedFile, span: { start: number; end: number }): SyntaxNode | null {
  return functionAround(nodeCovering(source.root, span), source.language);
}

/** Names in the part of a statement that lies in the line of an edit. */
function namesAt(source: ParsedFile, span: { start: number; end: number }): Set<string> {
  const { lines, text, root, language } = source;
  const line = lines.lineAt(span.start);
  const statement = statementAround(nodeCovering(root, span), language);
  const names = [...descendants(statement)].filter(
    ({ type, isNamed, start }) => isNamed && type.endsWith('identifier') && lines.lineAt(start) === line,
  );
  return new Set(names.map(({ start, end }) => text.slice(start, end)).filter((name) => name !== 'self'));
}

/** Both changes of one file in order, or `null` where they would touch. */
function merged(edits: readonly SpanEdit[], site: MutationSite): Replacement[] | null {
  const own = edits.filter(({ file }) => file === site.source.file);
  const all = [...own, ...site.replacements].sort((left, right) => left.start - right.start);
  const areApart = all.every(({ start }, index) => index === 0 || (all[index - 1]?.end ?? 0) < start);
  return areApart ? all.map(({ start, end, text }) => ({ start, end, text })) : null;
}

function invalid(expected: string, got: string): TadpoleError {
  return new TadpoleError({ code: 'invalid-input', message: `widenCandidate: expected ${expected}, got ${got}.` });
}
