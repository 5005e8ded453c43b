import { createHash } from 'node:crypto';
import type { Gate } from '@tadpole/contracts';
import { notReproduced } from '../edit/reproduces.js';
import type { TreeFile } from './candidate-trees.js';
import { isHidden } from './hidden-files.js';
import { Refusal } from './validation.js';

/** The candidate's trees differ, and in nothing that the grader owns. Throws {@link Refusal}. */
export function changesSourcesOnly(options: { files: readonly TreeFile[]; hiddenPaths: readonly string[] }): Gate {
  const { files, hiddenPaths } = options;
  const name = 'changes-sources-only';
  const hidden = files.find(({ path }) => isHidden({ file: path, hiddenPaths }));
  if (hidden !== undefined) throw new Refusal({ reason: 'hidden-file-edited', detail: hidden.path, gate: name });
  if (files.every(({ agent, solved }) => agent === solved)) {
    throw new Refusal({ reason: 'no-change', detail: "the agent's tree is the solved one", gate: name });
  }
  return { name, passed: true, evidence: { files: files.map(({ path }) => path) } };
}

/** The gold patch, really applied to the agent's files, gives the solved tree's bytes. Throws {@link Refusal}. */
export function goldRestoresSnapshot(options: { files: readonly TreeFile[]; goldPatch: string; snapshotHash: string }): Gate {
  const { files, goldPatch, snapshotHash } = options;
  const name = 'gold-restores-snapshot';
  const broken = notReproduced({
    files: files.map(({ path, agent, solved }) => ({ path, before: agent, after: solved })),
    patch: goldPatch,
  });
  if (broken !== null) throw new Refusal({ reason: 'not-restorable', detail: broken, gate: name });
  const restored = files.map(({ path, solved }) => ({ path, sha256: solved === null ? null : sha256(solved) }));
  return { name, passed: true, evidence: { snapshotHash, restored } };
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
