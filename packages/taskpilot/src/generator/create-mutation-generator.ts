import { type Candidate, type Generator, type Snapshot, TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';
import { readSource } from '../read-source.js';
import { throwIfAborted } from '../throw-if-aborted.js';
import { interleaveSites } from './interleave-sites.js';
import { createLineRule } from './line-rule.js';
import type { MutationOperator } from './mutation-operator.js';
import { mutationOperators } from './mutation-operators.js';
import { collectSites, type MutationSite, type ParsedFile, parseFile } from './mutation-site.js';
import { parsesClean } from './parses-clean.js';
import { createParserCache } from './syntax-parser.js';

const optionsSchema = z.strictObject({
  operators: z.array(z.custom<MutationOperator>()).min(1).readonly().default(mutationOperators),
  lineLength: z
    .tuple([z.int().min(1), z.int().min(1)])
    .readonly()
    .refine(([shortest, longest]) => shortest <= longest, { message: 'expected [shortest, longest]' })
    .default([12, 90]),
  uniqueLines: z.boolean().default(true),
});

/**
 * Makes the procedural generator for JavaScript and TypeScript: every candidate is one edit of code (never
 * of a string or a comment) inside one line of one source file, made on the original text. The file still
 * parses without a new error, and the line can be edited back by exact replacement (see the options).
 *
 * Files that are not UTF-8 or have no grammar here are passed over. A candidate need not be a bug: whether
 * a test notices is decided by execution.
 *
 * @throws TadpoleError `invalid-config` for options of the wrong form; `propose` throws `storage` when a
 * listed source file cannot be read and `aborted` by its signal.
 */
export function createMutationGenerator(
  options: {
    /** @default {@link mutationOperators} */
    operators?: readonly MutationOperator[];
    /** Shortest and longest trimmed line, before and after the change, in UTF-16 units. @default [12, 90] */
    lineLength?: readonly [number, number];
    /** Whether the trimmed line must occur once in its file, before and after the change. @default true */
    uniqueLines?: boolean;
  } = {},
): Generator {
  const parsed = optionsSchema.safeParse(options);
  if (!parsed.success) {
    throw new TadpoleError({ code: 'invalid-config', message: `createMutationGenerator: ${z.prettifyError(parsed.error)}` });
  }
  const { operators, lineLength, uniqueLines } = parsed.data;
  const name = 'mutation';
  const parsers = createParserCache();
  const lineRule = createLineRule({ lineLength, uniqueLines });

  return {
    name,
    async *propose({ snapshot, random, signal }) {
      const files = await parseSources({ snapshot, parsers, signal });
      try {
        const sites = files.flatMap((source) => collectSites({ source, operators }));
        for (const site of interleaveSites({ sites, random })) {
          throwIfAborted(signal, 'Proposing candidates');
          const { text } = site.source;
          const { start, end } = site.replacement;
          const mutated = text.slice(0, start) + site.replacement.text + text.slice(end);
          if (lineRule(site, mutated) && parsesClean(site)) yield toCandidate({ site, generator: name });
        }
      } finally {
        for (const { tree } of files) tree.delete();
      }
    },
  };
}

function toCandidate(options: { site: MutationSite; generator: string }): Candidate {
  const { site, generator } = options;
  const { file } = site.source;
  return { edits: [{ file, ...site.replacement }], lineage: { generator, operator: site.operator, file, line: site.line } };
}

async function parseSources(options: {
  snapshot: Snapshot;
  parsers: ReturnType<typeof createParserCache>;
  signal: AbortSignal | undefined;
}): Promise<ParsedFile[]> {
  const files: ParsedFile[] = [];
  try {
    for (const file of [...options.snapshot.sourceFiles].sort()) {
      throwIfAborted(options.signal, 'Proposing candidates');
      const parser = await options.parsers.parserFor(file);
      const text = parser === null ? null : await readSource({ directory: options.snapshot.directory, file });
      const parsed = parser === null || text === null ? null : parseFile({ file, text, parser });
      if (parsed !== null) files.push(parsed);
    }
  } catch (error) {
    for (const { tree } of files) tree.delete();
    throw error;
  }
  return files;
}
