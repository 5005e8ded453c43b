import type { AuditSubject } from '@tadpole/contracts';
import type { AuditEvent } from './audit-event.js';
import { callsOf } from './calls.js';
import { type CodeSource, deepestSource } from './code-source.js';
import { recordCommand } from './command-events.js';
import { createEventRecorder, type EventRecorder } from './event-recorder.js';
import { oncePerSubject } from './once-per-subject.js';
import { recordProgram } from './program-events.js';
import { runShell } from './shell/run-shell.js';
import type { KnownText } from './shell/shell-command.js';
import type { ShellHost } from './shell/shell-state.js';
import { recordToolCall } from './tool-call-events.js';

interface SubjectEvents {
  readonly events: readonly AuditEvent[];
  readonly sources: readonly CodeSource[];
}

/** Commands that are read of one subject, over all of its calls and programs. */
const mostCommands = 2000;
/** Programs that are read of one subject. */
const mostSources = 400;

const readSubject = oncePerSubject(readEvents);

/**
 * What a policy did, in order: commands, reads, searches, writes, deletions, network access and variables, from tools that take
 * paths, from shell commands and from programs that they run. What depends on the machine is not known and stands as a pattern.
 */
export function eventsOf(subject: AuditSubject): readonly AuditEvent[] {
  return readSubject(subject).events;
}

/** Every text that a policy ran as a program or wrote as one, decoded ones among them. */
export function sourcesOf(subject: AuditSubject): readonly CodeSource[] {
  return readSubject(subject).sources;
}

function readEvents(subject: AuditSubject): SubjectEvents {
  const recorder: EventRecorder = createEventRecorder({ subject, onWrittenCode: (source) => host.onProgram(source) });
  const host: ShellHost = {
    readFile: recorder.readFile,
    onCommand: (command) => recordCommand(command, recorder),
    onShell: (source) => {
      if (recorder.sources.length < mostSources) recorder.sources.push(source);
    },
    onProgram: (source) => readProgram(source, recorder, host),
    budget: { left: mostCommands },
  };
  for (const call of callsOf(subject)) recordToolCall({ call, recorder, host });
  return recorder;
}

function readProgram(source: CodeSource, recorder: EventRecorder, host: ShellHost): KnownText | undefined {
  const { language } = source;
  if (source.depth > deepestSource || recorder.sources.length >= mostSources) return undefined;
  recorder.sources.push(source);
  if (language === 'bash') return runShell({ source, host });
  return language === 'other' ? undefined : recordProgram({ source, language, recorder, host });
}
