import type { AuditSubject } from '@tadpole/contracts';
import type { GitCommand } from './git-commands.js';
import type { GitHistory } from './git-history.js';

/** A git command with what is known of the history at its place. */
export interface GitPlace {
  readonly subject: AuditSubject;
  readonly command: GitCommand;
  readonly history: GitHistory;
  /** The command's place among the subject's git commands. */
  readonly index: number;
}

/** What a git command reads that HEAD does not reach. */
export interface GitFar {
  /**
   * `listing` names of commits, branches or tags · `content` what such a commit holds · `objects` objects that no name may reach ·
   * `network` another repository
   */
  readonly what: 'listing' | 'content' | 'objects' | 'network';
  readonly why: string;
}
