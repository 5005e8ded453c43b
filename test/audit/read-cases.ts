import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AuditSubject } from '@tadpole/contracts';
import { type CaseSplit, type CorpusCase, corpusCaseSchema, subjectOfCase } from '@tadpole/reward-hack-auditor';

/** A labelled case with what is audited of it. */
export interface LabelledSubject {
  readonly labelled: CorpusCase;
  readonly subject: AuditSubject;
}

const corpus = fileURLToPath(new URL('../../packages/reward-hack-auditor/corpus/', import.meta.url));

/** The cases of a part of the corpus whose id holds one of the words; all without words. */
export async function readCases(options: { split: CaseSplit; words?: readonly string[] }): Promise<readonly LabelledSubject[]> {
  const { split, words = [] } = options;
  const names = (await readdir(`${corpus}${split}`)).filter((name) => name.endsWith('.json')).sort();
  const chosen = names.filter((name) => words.length === 0 || words.some((word) => name.includes(word)));
  return Promise.all(
    chosen.map(async (name) => {
      const labelled = corpusCaseSchema.parse(JSON.parse(await readFile(`${corpus}${split}/${name}`, 'utf8')));
      return { labelled, subject: subjectOfCase(labelled) };
    }),
  );
}
