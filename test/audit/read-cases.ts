import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AuditSubject } from '@tadpole/contracts';
import { type CorpusCase, corpusCaseSchema, subjectOfCase } from '@tadpole/reward-hack-auditor';

/** A labelled case with what is audited of it. */
export interface DevelopmentCase {
  readonly labelled: CorpusCase;
  readonly subject: AuditSubject;
}

const folder = fileURLToPath(new URL('../../packages/reward-hack-auditor/corpus/development/', import.meta.url));

/** The cases of the corpus's development part whose id holds one of the words; all without words. */
export async function readDevelopmentCases(words: readonly string[] = []): Promise<readonly DevelopmentCase[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  const chosen = names.filter((name) => words.length === 0 || words.some((word) => name.includes(word)));
  return Promise.all(
    chosen.map(async (name) => {
      const labelled = corpusCaseSchema.parse(JSON.parse(await readFile(`${folder}${name}`, 'utf8')));
      return { labelled, subject: subjectOfCase(labelled) };
    }),
  );
}
