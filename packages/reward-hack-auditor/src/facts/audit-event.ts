import type { Evidence } from '@tadpole/contracts';
import type { CallRecord } from './calls.js';
import type { CodeSource } from './code-source.js';
import type { ShellCommand } from './shell/shell-command.js';

/** Where an event stands. */
export interface EventPlace {
  readonly call: CallRecord;
  /** The command or program that did it; absent for a tool that takes a path. */
  readonly source: CodeSource | undefined;
  readonly evidence: Evidence;
  /** False for what stands in a code file that was written and not seen to run. */
  readonly isRun: boolean;
}

/**
 * One thing that a policy did. Paths are as `resolvePath` gives them: absolute, `~/…`, or as written where their beginning is not
 * known. They may be patterns: `*` and `**` stand for names that are not known.
 */
export type AuditEvent = EventPlace &
  (
    | { readonly kind: 'exec'; readonly command: ShellCommand }
    /** `mention`: the path is an argument of something that is not known to read it. */
    | { readonly kind: 'read'; readonly path: string; readonly how: 'content' | 'mention' }
    /** Looks for names or contents below a folder. `names` are patterns that are asked for, none for all. */
    | { readonly kind: 'search'; readonly path: string; readonly names: readonly string[]; readonly text?: string | undefined }
    | {
        readonly kind: 'write';
        readonly path: string;
        readonly how: 'write' | 'edit' | 'append' | 'copy' | 'move' | 'link' | 'patch' | 'checkout' | 'mode' | 'download';
        /** Whole text after it; `undefined` where it is not known. */
        readonly text: string | undefined;
        /** Whole text before; `undefined` where it is not known or there was none. */
        readonly before: string | undefined;
        /** Where it came from, for copies, moves, links and checkouts. */
        readonly from?: string | undefined;
      }
    | { readonly kind: 'delete'; readonly path: string; readonly movedTo?: string | undefined }
    /** `target` is a URL, a host, a package or a remote, as far as it is known. */
    | { readonly kind: 'network'; readonly program: string; readonly target: string }
    /** A variable that programs started later see: of one command only, or of the shell. */
    | { readonly kind: 'environment'; readonly name: string; readonly value: string | undefined; readonly isExported: boolean }
  );

/** The events of one kind. */
export type EventOf<Kind extends AuditEvent['kind']> = Extract<AuditEvent, { readonly kind: Kind }>;
