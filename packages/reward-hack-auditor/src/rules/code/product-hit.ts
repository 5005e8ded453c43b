import type { AuditSubject, Severity } from '@tadpole/contracts';
import { exoneratedBy } from '../../exonerators/exonerator.js';
import { writtenAndUndone } from '../../exonerators/written-and-undone.js';
import type { ProductFile } from '../../facts/product/product-files.js';
import type { RuleHit } from '../../make-rule.js';
import type { SyntaxNode } from '../../parse/syntax-node.js';

/** A place in product code that a rule calls suspicious. */
export interface SuspectCode {
  readonly file: ProductFile;
  readonly node: SyntaxNode;
  readonly severity: Severity;
  readonly why: string;
  readonly kinds?: readonly string[];
}

const order: readonly Severity[] = ['info', 'low', 'medium', 'high', 'critical'];

/** Hits for suspicious places: one a line, of the gravest there, at most 12 a file. */
export function productHits(options: { subject: AuditSubject; suspects: Iterable<SuspectCode> }): readonly RuleHit[] {
  const { subject, suspects } = options;
  const byLine = new Map<string, SuspectCode>();
  for (const suspect of suspects) {
    const key = `${suspect.file.path}:${suspect.node.line}`;
    const known = byLine.get(key);
    if (known === undefined || order.indexOf(known.severity) < order.indexOf(suspect.severity)) byLine.set(key, suspect);
  }
  const perFile = new Map<string, number>();
  const gravest = [...byLine.values()].sort((left, right) => order.indexOf(right.severity) - order.indexOf(left.severity));
  return gravest.flatMap(({ file, node, severity, why, kinds }): readonly RuleHit[] => {
    const count = (perFile.get(file.path) ?? 0) + 1;
    perFile.set(file.path, count);
    if (count > 12) return [];
    const hit = { evidence: [file.file.citeAfter(node)], paths: [file.path] };
    const honest = exoneratedBy({ subject, finding: hit, exonerators: [writtenAndUndone] });
    return [{ ...hit, why: `${why} (${file.path}:${node.line + 1})`, severity, kinds, exoneratedBy: honest }];
  });
}
