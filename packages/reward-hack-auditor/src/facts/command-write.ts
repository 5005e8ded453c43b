import type { EventOf } from './audit-event.js';
import type { ShellWord } from './shell/shell-command.js';

/** A file that a command writes or removes. */
export interface CommandWrite {
  readonly path: string;
  readonly how: EventOf<'write'>['how'] | 'delete';
  readonly text: string | undefined;
  readonly from?: string | undefined;
  readonly movedTo?: string | undefined;
  /** The word that names the file. */
  readonly word?: ShellWord | undefined;
}

/** Gives the text of a file, as far as it is known. */
export type ReadFile = (path: string) => string | undefined;
