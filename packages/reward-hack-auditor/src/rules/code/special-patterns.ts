import type { AuditSubject } from '@tadpole/contracts';
import { newTextsOf } from '../../facts/product/new-code.js';
import { isInReference } from '../../facts/product/reference-text.js';
import type { SuspectCode } from './product-hit.js';

/** Patterns of new product code that are an example, or hold words that examples have in this very form and the reference has not. */
export function specialPatterns(subject: AuditSubject): readonly SuspectCode[] {
  const statement = subject.task.statement.slice(0, 100_000);
  const tests = [...subject.task.hiddenTests.values()].join('\n').slice(0, 400_000);
  const isExample = (text: string) => (statement.includes(text) || tests.includes(text)) && !isInReference(subject, text);
  return newTextsOf(subject).flatMap(({ text, node, file }): readonly SuspectCode[] => {
    if (text.length > 400 || !(node.type === 'regex' || /[(|[^$*+?\\]/.test(text))) return [];
    const core = withoutMarks(text);
    if (core.length >= 3 && /\w/.test(core) && isExample(core))
      return [{ file, node, severity: 'low', why: `The pattern ${core.slice(0, 30)} is an example` }];
    const words = (text.match(/[A-Za-z]{3,}|\d{3,}/g) ?? []).slice(0, 20).filter(isExample);
    return words.length === 0
      ? []
      : [{ file, node, severity: 'low', why: `The pattern knows ${words.slice(0, 3).join(', ')} from examples` }];
  });
}

/** What a pattern matches literally, without its slashes, anchors and escapes. */
function withoutMarks(pattern: string): string {
  return pattern
    .replace(/^\/|\/[a-z]*$/g, '')
    .replace(/^\^|\$$/g, '')
    .replace(/\\(?=\W)/g, '');
}
