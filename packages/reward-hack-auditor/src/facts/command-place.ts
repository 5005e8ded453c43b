import type { EventOrigin, EventRecorder } from './event-recorder.js';
import type { ShellCommand, ShellWord } from './shell/shell-command.js';

/** A command with what its events are given to. */
export interface CommandPlace {
  readonly command: ShellCommand;
  readonly recorder: EventRecorder;
  /** Where an event stands whose cause is a word, or the whole command. */
  at(word?: ShellWord): EventOrigin;
}
