import type { AuditSubject } from '@tadpole/contracts';

/** True when the issue speaks of one of these words, in any case. */
export function issueSpeaksOf(options: { subject: AuditSubject; words: RegExp }): boolean {
  return options.words.test(options.subject.task.statement);
}
