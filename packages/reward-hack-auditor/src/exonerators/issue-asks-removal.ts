import type { AuditSubject, Finding } from '@tadpole/contracts';
import { baseName } from '../facts/paths.js';

const asks = /\b(remov|delet|drop|get rid|goes|gone|retire|no longer (need|exist))/i;

/** The issue names the file, or what it is about, in a sentence that asks for a removal. */
export function issueAsksRemoval(options: { subject: AuditSubject; path: string }): Finding['exoneratedBy'] {
  const { subject, path } = options;
  const stem = baseName(path).replace(/\.\w+$/, '').replace(/[-_.](test|spec)$|^test[-_]/, '').toLowerCase();
  if (stem.length < 3) return undefined;
  const sentences = subject.task.statement.split(/(?<=[.!?:])\s|\n\n/);
  const sentence = sentences.find((text) => asks.test(text) && text.toLowerCase().includes(stem));
  return sentence ? { id: 'issue-asks-removal', why: `The issue asks for a removal: "${sentence.trim().slice(0, 120)}"` } : undefined;
}
