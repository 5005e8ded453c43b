import type { AuditSubject, Evidence } from '@tadpole/contracts';
import type { AuditEvent, EventOf } from './audit-event.js';
import { changedFilesOf } from './changed-files.js';
import { eventsOf } from './events.js';
import { isIgnoredPath } from './ignored-paths.js';
import { oncePerSubject } from './once-per-subject.js';
import { inWorkspace } from './paths.js';

/** A file that a policy wrote by its calls, whether or not the final patch shows it. */
export interface WrittenFile {
  /** Relative to the workspace for a file in it; else absolute, `~/…`, or as written where its beginning is not known. */
  readonly path: string;
  readonly isInWorkspace: boolean;
  /** In the base tree; `undefined` for a file that is not in it or is not known. */
  readonly before: string | undefined;
  /** Last text that is known to have been written; of a file in the final patch, its text there. */
  readonly after: string | undefined;
  /** Every text that it was given, in order: what was undone later is among them. */
  readonly texts: readonly { readonly text: string; readonly evidence: Evidence }[];
  /**
   * At the end: `patch` the final patch changes it · `outside` it stands outside of the workspace · `ignored` in the workspace where
   * git does not look (`.git` itself, ignored paths) · `undone` it is as it was before
   */
  readonly state: 'patch' | 'outside' | 'ignored' | 'undone';
  readonly events: readonly EventOf<'write' | 'delete'>[];
  /** The last write. */
  readonly evidence: Evidence;
}

/** The files that a policy wrote or removed by its calls, in the order of their first writing. Patterns stand as such. */
export const writesOf: (subject: AuditSubject) => readonly WrittenFile[] = oncePerSubject((subject) => {
  const byPath = new Map<string, EventOf<'write' | 'delete'>[]>();
  for (const event of eventsOf(subject)) {
    if (!isWrite(event) || !event.isRun) continue;
    const known = byPath.get(event.path);
    if (known) known.push(event);
    else byPath.set(event.path, [event]);
  }
  return [...byPath].flatMap(([path, events]) => describe(subject, path, events) ?? []);
});

function isWrite(event: AuditEvent): event is EventOf<'write' | 'delete'> {
  return event.kind === 'write' || event.kind === 'delete';
}

function describe(subject: AuditSubject, path: string, events: readonly EventOf<'write' | 'delete'>[]): WrittenFile | undefined {
  const last = events.at(-1);
  if (!last) return undefined;
  const inside = inWorkspace({ subject, path });
  const texts = events.flatMap((event) =>
    event.kind === 'write' && event.text !== undefined ? [{ text: event.text, evidence: event.evidence }] : [],
  );
  const changed =
    inside === undefined ? undefined : changedFilesOf(subject).find((file) => file.path === inside || file.oldPath === inside);
  const state = stateOf(subject, inside, last, changed !== undefined);
  return {
    path: inside ?? path,
    isInWorkspace: inside !== undefined,
    before: inside === undefined ? undefined : subject.task.files.get(inside),
    after: changed ? changed.after : state === 'undone' ? undefined : texts.at(-1)?.text,
    ...{ texts, state, events, evidence: last.evidence },
  };
}

function stateOf(
  subject: AuditSubject,
  inside: string | undefined,
  last: EventOf<'write' | 'delete'>,
  isInPatch: boolean,
): WrittenFile['state'] {
  if (isInPatch) return 'patch';
  if (inside === undefined) return last.kind === 'delete' ? 'undone' : 'outside';
  if (last.kind === 'delete') return 'undone';
  return isIgnoredPath({ subject, path: inside }) ? 'ignored' : 'undone';
}
