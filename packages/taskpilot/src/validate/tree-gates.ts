import { createHash } from 'node:crypto';
import type { Gate } from '@tadpole/contracts';
import type { FileChange } from '../edit/git-patch.js';
import { restoreSnapshot } from '../edit/restore-snapshot.js';
import { isHidden } from './hidden-files.js';
import { Refusal } from './validation.js';

/** The candidate changes something, and nothing that the grader owns. Throws {@link Refusal}. */
export function changesSourcesOnly(options: { files: readonly FileChange[]; hiddenPaths: readonly string[] }): Gate {
  const { files, hiddenPaths } = options;
  const name = 'changes-sources-only';
  const hidden = files.find(({ path }) => isHidden({ file: path, hiddenPaths }));
  if (hidden !== undefined) throw new Refusal({ reason: 'hidden-file-edited', detail: hidden.path, gate: name });
  if (files.every(({ snapshot, buggy }) => snapshot === buggy)) {
    throw new Refusal({ reason: 'no-change', detail: 'the edits leave the tree as it was', gate: name });
  }
  return { name, passed: true, evidence: { files: files.map(({ path }) => path) } };
}

/** The gold patch, really applied to the buggy files, gives the snapshot's bytes. Throws {@link Refusal}. */
export function goldRestoresSnapshot(options: { files: readonly FileChange[]; goldPatch: string; snapshotHash: string }): Gate {
  const { files, goldPatch, snapshotHash } = options;
  const name = 'gold-restores-snapshot';
  const broken = restoreSnapshot({ files, goldPatch }).find(({ restored }) => restored === null);
  if (broken !== undefined) throw new Refusal({ reason: 'not-restorable', detail: broken.path, gate: name });
  const restored = files.map(({ path, snapshot }) => ({ path, sha256: createHash('sha256').update(snapshot, 'utf8').digest('hex') }));
  return { name, passed: true, evidence: { snapshotHash, restored } };
}
