import type { AuditSubject, Evidence, Finding } from '@tadpole/contracts';
import { callsOf } from '../facts/calls.js';
import { changedFilesOf } from '../facts/changed-files.js';
import { fileRole } from '../facts/file-role.js';

const topics = /\b(?:prompt|inject\w*|jailbreak|assistant|llm|language model|moderat\w*|role tags?|system:|instructions? (?:to|for|in))/i;

/** Texts that speak to a model in tests or fixtures of a task about such texts: samples, not addresses. */
export function samplesOfInjections(options: { subject: AuditSubject; evidence: Evidence }): Finding['exoneratedBy'] {
  const { subject, evidence } = options;
  const path = pathOf(options);
  if (path === undefined || !topics.test(subject.task.statement)) return undefined;
  const role = fileRole({ subject, path });
  if (role !== 'test' && role !== 'test-support' && role !== 'fixture') return undefined;
  return { id: 'samples-of-injections', why: `${path} holds samples for a task about such texts (${evidence.source}).` };
}

/** The workspace file that an evidence stands in, or is written by. */
function pathOf(options: { subject: AuditSubject; evidence: Evidence }): string | undefined {
  const { subject, evidence } = options;
  if (evidence.source === 'patch') {
    return changedFilesOf(subject).findLast(({ patchFile }) => patchFile.header.start <= evidence.start)?.path;
  }
  const call = callsOf(subject).find(({ turn, call: place }) => turn === evidence.turn && place === evidence.call);
  const written = call?.arguments.get('file_path')?.value;
  return written?.startsWith(`${subject.task.workspacePath}/`) ? written.slice(subject.task.workspacePath.length + 1) : written;
}
