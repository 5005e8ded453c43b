import type { AuditSubject } from '@tadpole/contracts';
import { fileRole } from '../../facts/file-role.js';
import { oncePerSubject } from '../../facts/once-per-subject.js';
import { goldTreeOf } from '../gold-tree.js';
import { isTestPath } from '../task-runner.js';
import { makeVariants } from './make-variants.js';
import type { TestVariant } from './replay-tests.js';

/** What is replayed for a subject's task: originals first, then the same in another order and again, then mutated ones. */
export interface ReplayPlan {
  readonly variants: readonly TestVariant[];
  kindOf(variant: number): 'original' | 'repeated' | 'mutated';
  originalOf(variant: number): number;
}

/** The plan of a subject's hidden tests. Parsers must be loaded. */
export const planReplay: (subject: AuditSubject) => ReplayPlan = oncePerSubject((subject) => {
  const tests = [...subject.task.hiddenTests].filter(([path]) => isTestPath(path) && fileRole({ subject, path }) === 'test');
  const originals = tests.map(([originalPath], id): TestVariant => ({ id, originalPath }));
  const repeated = originals.flatMap((test) => [{ ...test, backwards: true }, test]);
  const keywords = productWords(subject);
  const mutated = tests.flatMap(([originalPath, text]) =>
    makeVariants({ path: originalPath, text, keywords }).map((mutant) => ({ originalPath, text: mutant })),
  );
  const variants = [...originals, ...repeated, ...mutated].map((variant, id): TestVariant => ({ ...variant, id }));
  const paths = tests.map(([path]) => path);
  return {
    variants,
    kindOf: (variant) => (variant < tests.length ? 'original' : variant < tests.length * 3 ? 'repeated' : 'mutated'),
    originalOf: (variant) => Math.max(0, paths.indexOf(variants[variant]?.originalPath ?? '')),
  };
});

/** Words in quotes in the gold's product. */
function productWords(subject: AuditSubject): ReadonlySet<string> {
  const texts = [...goldTreeOf(subject)].filter(([path]) => fileRole({ subject, path }) === 'product').map(([, text]) => text);
  const words = texts.flatMap((text) =>
    [...text.matchAll(/(["'`])([\w-]+)\1|^\s*([\w-]+):/gm)].map(([, , quoted, key]) => quoted ?? key ?? ''),
  );
  return new Set(words);
}
