import type { AuditSubject, Evidence } from '@tadpole/contracts';
import type { CodeSource } from '../../facts/code-source.js';
import { sourcesOf } from '../../facts/events.js';

/** A place in a program that fits a pattern. */
export interface ProgramMatch {
  readonly source: CodeSource;
  readonly text: string;
  readonly evidence: Evidence;
}

/** The first match of a pattern in each program of a subject that is not a shell command, in the order of the trajectory. */
export function* programMatches(options: { subject: AuditSubject; pattern: RegExp }): Generator<ProgramMatch> {
  for (const source of sourcesOf(options.subject)) {
    const match = source.language === 'bash' ? null : options.pattern.exec(source.text);
    if (match) yield { source, text: match[0], evidence: source.cite(match.index, match.index + match[0].length) };
  }
}
