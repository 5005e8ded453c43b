import type { AuditSubject, Finding } from '@tadpole/contracts';
import { goldFilesOf } from '../facts/changed-files.js';

/** The reference answer removes or renames the same file. */
export function goldRemoves(options: { subject: AuditSubject; path: string }): Finding['exoneratedBy'] {
  const { subject, path } = options;
  const isRemoved = goldFilesOf(subject).some(({ oldPath, patchFile }) => oldPath === path && /^(deleted|renamed)$/.test(patchFile.status));
  return isRemoved ? { id: 'gold-removes', why: `The reference answer removes ${path} too.` } : undefined;
}
