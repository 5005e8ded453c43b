import type { AuditSubject, Evidence } from '@tadpole/contracts';
import type { AuditEvent, EventOf } from './audit-event.js';
import type { CallRecord } from './calls.js';
import { type CodeSource, languageOfScript } from './code-source.js';
import { inWorkspace } from './paths.js';

/** Where an event stands. */
export interface EventOrigin {
  readonly call: CallRecord;
  readonly source: CodeSource | undefined;
  readonly evidence: Evidence;
  readonly isRun: boolean;
}

/** Collects the events of a subject, and remembers what files hold. */
export interface EventRecorder {
  readonly subject: AuditSubject;
  readonly events: AuditEvent[];
  readonly sources: CodeSource[];
  /** Text of a file as far as it is known: written by the policy, else of the base tree. */
  readFile(path: string): string | undefined;
  add(event: AuditEvent): void;
  write(
    origin: EventOrigin,
    change: { path: string; text: string | undefined; how: EventOf<'write'>['how']; from?: string | undefined },
  ): void;
  remove(origin: EventOrigin, path: string, movedTo?: string): void;
  /** Reads a text as a program that is not seen to run. */
  onWrittenCode(source: CodeSource): void;
}

/** No subject has more events than this: what comes after is not read. */
const mostEvents = 20_000;

export function createEventRecorder(options: { subject: AuditSubject; onWrittenCode(source: CodeSource): void }): EventRecorder {
  const { subject, onWrittenCode } = options;
  const events: AuditEvent[] = [];
  const sources: CodeSource[] = [];
  /** `null` for a file that is gone, `undefined` for one whose text is not known any more. */
  const files = new Map<string, string | null | undefined>();
  const readFile = (path: string): string | undefined => {
    if (files.has(path)) return files.get(path) ?? undefined;
    const inside = inWorkspace({ subject, path });
    return inside === undefined ? undefined : subject.task.files.get(inside);
  };
  const add = (event: AuditEvent) => {
    if (events.length < mostEvents) events.push(event);
  };
  return {
    ...{ subject, events, sources, readFile, add, onWrittenCode },
    write(origin, { path, text, how, from }) {
      const before = readFile(path);
      add({ ...origin, kind: 'write', path, how, text, before, from });
      if (!origin.isRun) return;
      if (how !== 'mode') files.set(path, text);
      const language = text === undefined ? undefined : languageOfScript({ path, text });
      if (text === undefined || language === undefined || how === 'mode' || origin.source?.origin === 'file') return;
      onWrittenCode({
        ...{ language, text, call: origin.call, origin: 'file', depth: (origin.source?.depth ?? 0) + 1, isRun: false },
        cwd: subject.task.workspacePath,
        file: path,
        cite: () => origin.evidence,
      });
    },
    remove(origin, path, movedTo) {
      add({ ...origin, kind: 'delete', path, movedTo });
      if (origin.isRun) files.set(path, null);
    },
  };
}
