import type { AuditSubject } from '@tadpole/contracts';
import { oncePerSubject } from '../once-per-subject.js';
import { honestLiteralsOf } from './answers.js';
import { knownProductOf } from './product-files.js';

const referenceTextOf = oncePerSubject((subject) =>
  knownProductOf(subject)
    .map(({ tree }) => tree.text)
    .join('\n')
    .slice(0, 2_000_000),
);

/** True for a text that stands in the product code of gold or base in any form; what does is no special case. */
export function isInReference(subject: AuditSubject, text: string): boolean {
  return honestLiteralsOf(subject).texts.has(text) || (text.length < 200 && referenceTextOf(subject).includes(text));
}
