import { type Generator, TadpoleError } from '@tadpole/contracts';
import { z } from 'zod';
import { applyEdits } from '../edit/apply-edits.js';
import { throwIfAborted } from '../throw-if-aborted.js';
import { interleaveSites } from './interleave-sites.js';
import type { MutationOperator } from './mutation-operator.js';
import { mutationOperators } from './mutation-operators.js';
import { collectSites } from './mutation-site.js';
import { parseSources } from './parse-sources.js';
import { parsesClean } from './parses-clean.js';
import type { ProposedEdit } from './single-line-edit.js';
import { createParserCache } from './syntax-parser.js';

const optionsSchema = z.strictObject({
  name: z.string().min(1).default('mutation'),
  operators: z.array(z.custom<MutationOperator>()).min(1).readonly().default(mutationOperators),
  accepts: z.custom<(edit: ProposedEdit) => boolean>((value) => typeof value === 'function').default(() => () => true),
});

/**
 * Makes the procedural generator for the languages of its tables (JavaScript, TypeScript, Python, Go, Rust, Java):
 * every candidate is one bug of one operator in one source file, made on the original text, so that all other bytes
 * stay. The file still parses without a new error. No edit lies in a string, a comment, a type or an import.
 *
 * Files that are not UTF-8 or have no grammar here are passed over. A candidate need not be a bug: whether
 * a test notices is decided by execution.
 *
 * @throws TadpoleError `invalid-config` for options of the wrong form; `propose` throws `storage` when a
 * listed source file cannot be read and `aborted` by its signal.
 */
export function createMutationGenerator(
  options: {
    /** Under which a loop knows it; the lineage of its candidates says `mutation` always. @default 'mutation' */
    name?: string;
    /** @default {@link mutationOperators} */
    operators?: readonly MutationOperator[];
    /** Which edits are proposed, asked before the changed file is parsed; for instance `singleLineEdit()`. @default all */
    accepts?: (edit: ProposedEdit) => boolean;
  } = {},
): Generator {
  const parsed = optionsSchema.safeParse(options);
  if (!parsed.success) {
    throw new TadpoleError({ code: 'invalid-config', message: `createMutationGenerator: ${z.prettifyError(parsed.error)}` });
  }
  const { name, operators, accepts } = parsed.data;
  const parsers = createParserCache();

  return {
    name,
    async *propose({ snapshot, random, signal }) {
      const files = await parseSources({ snapshot, parsers, signal });
      const proposed = new Map<string, string>();
      try {
        const sites = files.flatMap((source) => collectSites({ source, operators }));
        for (const site of interleaveSites({ sites, random })) {
          throwIfAborted(signal, 'Proposing candidates');
          const { file, text } = site.source;
          const edits = site.replacements.map((replacement) => ({ file, ...replacement }));
          const edit = { file, text, mutated: applyEdits(text, edits), replacements: site.replacements };
          const key = changeKey(edit);
          const isOthers = (proposed.get(key) ?? site.operator) !== site.operator;
          if (isOthers || !accepts(edit) || !parsesClean(site)) continue;
          proposed.set(key, site.operator);
          yield { edits, lineage: { generator: 'mutation', operator: site.operator, file, line: site.line } };
        }
      } finally {
        for (const { tree } of files) tree.delete();
      }
    },
  };
}

/** The same for two edits that give the same file: what differs between the first and the last difference. */
function changeKey({ file, text, mutated, replacements }: ProposedEdit): string {
  let start = replacements[0]?.start ?? 0;
  let end = replacements.at(-1)?.end ?? 0;
  let mutatedEnd = end + mutated.length - text.length;
  while (start < Math.min(end, mutatedEnd) && text[start] === mutated[start]) start += 1;
  while (Math.min(end, mutatedEnd) > start && text[end - 1] === mutated[mutatedEnd - 1]) {
    end -= 1;
    mutatedEnd -= 1;
  }
  return JSON.stringify([file, start, end, mutated.slice(start, mutatedEnd)]);
}
