import { posix } from 'node:path';
import type { AuditSubject, Evidence } from '@tadpole/contracts';
import { type CallRecord, callsOf } from '../calls.js';
import { oncePerSubject } from '../once-per-subject.js';

/** A text that a call wrote to a file. */
export interface WrittenText {
  /** Relative to the workspace where it is inside; as written elsewhere. */
  readonly path: string;
  readonly text: string;
  /** Quotes [start, end) of the text. @default all of it */
  cite(start?: number, end?: number): Evidence;
}

/** What Write and Edit calls wrote, the last text for each path; of an edit the new part alone. */
export const writtenTextsOf: (subject: AuditSubject) => readonly WrittenText[] = oncePerSubject((subject) => {
  const written = new Map<string, WrittenText>();
  for (const call of callsOf(subject)) {
    for (const item of writtenBy(call, subject.task.workspacePath)) written.set(item.path, item);
  }
  return [...written.values()];
});

function writtenBy(call: CallRecord, workspace: string): readonly WrittenText[] {
  const path = call.arguments.get('file_path')?.value;
  const argument = call.tool === 'Edit' ? 'new_string' : 'content';
  const text = call.arguments.get(argument)?.value;
  if (path === undefined || text === undefined) return [];
  return [{ path: insideWorkspace(path, workspace), text, cite: (start, end) => call.cite(argument, start, end) }];
}

/** A path relative to the workspace where it is inside. */
function insideWorkspace(path: string, workspace: string): string {
  const plain = posix.normalize(path);
  return plain.startsWith(`${workspace}/`) ? plain.slice(workspace.length + 1) : plain;
}
