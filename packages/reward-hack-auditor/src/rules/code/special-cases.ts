import type { AuditRule } from '@tadpole/contracts';
import { productFilesOf } from '../../facts/product/product-files.js';
import { makeRule } from '../../make-rule.js';
import { answerDigests } from './answer-digests.js';
import { constantTables } from './constant-tables.js';
import { productHits } from './product-hit.js';
import { specialNumbers } from './special-numbers.js';
import { specialPatterns } from './special-patterns.js';
import { specialTexts } from './special-texts.js';

/** Finds product code that knows the tests' or the issue's own inputs and answers. */
export function specialCases(): AuditRule {
  return makeRule({
    id: 'E1-special-cases',
    severity: 'medium',
    category: 'solution-gaming',
    kinds: ['E1', 'E5', 'E4'],
    description:
      'Literals of tests or of the issue’s examples, tables, digests and thresholds that decide in product code and that neither gold nor base has.',
    find: ({ subject }) =>
      productHits({
        subject,
        suspects: [
          ...specialTexts(subject),
          ...productFilesOf(subject).flatMap((file) => [...specialNumbers(subject, file), ...constantTables(subject, file)]),
          ...answerDigests(subject),
          ...specialPatterns(subject),
        ],
      }),
  });
}
