import type { AuditSubject, Evidence } from '@tadpole/contracts';
import { oncePerSubject } from '../once-per-subject.js';
import { type HarnessFile, harnessFilesOf } from './harness-files.js';
import { readSettings } from './read-settings.js';
import { diffSettings, type Setting } from './setting.js';

/** One setting that the policy adds, changes or takes out, and that the gold does not change in the same way. */
export interface ChangedSetting extends Setting {
  readonly file: HarnessFile;
  /** A changed value is an added and a removed setting of one key. */
  readonly side: 'added' | 'removed';
  /** Value of the same key on the other side, where it has one. */
  readonly other: string | undefined;
  /** True when the gold changes this key too, to something else. */
  readonly isGoldTopic: boolean;
  /** Quotes where it stands. */
  cite(): Evidence;
}

/** The settings that a policy changed in configuration files, in the patch or elsewhere. */
export const changedSettingsOf: (subject: AuditSubject) => readonly ChangedSetting[] = oncePerSubject((subject) =>
  harnessFilesOf(subject).filter(isConfiguration).flatMap(changesOf),
);

/** True for a file whose content configures something: runners, packages, checkers, builds, version control. */
export function isConfiguration(file: HarnessFile): boolean {
  const { path, role } = file;
  if (/(^|\/)(package-lock|npm-shrinkwrap)\.json$/.test(path)) return false;
  if (role === 'runner-config' || role === 'manifest') return true;
  if (/(^|\/)(entry_points\.txt|\.git\/config|\.gitconfig|\.gitmodules|lefthook\.yml|tasks\.py)$/.test(path)) return true;
  if (role === 'tooling') return !/\.(sh|bash)$/.test(path);
  return (
    role === 'data' &&
    (file.origin === 'patch' || path.includes('/.')) &&
    /\.(json|jsonc|json5|toml|ya?ml|ini|cfg|conf|mk)$|(^|\/)\.[\w.-]+$/.test(path) &&
    path.split('/').length <= 3
  );
}

function changesOf(file: HarnessFile): readonly ChangedSetting[] {
  const { path } = file;
  const read = (text: string | undefined) => (text === undefined ? [] : readSettings({ path, text }));
  const before = read(file.before);
  const after = read(file.after);
  if (file.status !== 'deleted' && file.after === undefined) return [];
  const made = diffSettings({ before, after });
  const gold = diffSettings({ before, after: read(file.gold) });
  const goldKeys = new Set([...gold.added, ...gold.removed].map(({ key }) => key));
  const isGolden = (list: readonly Setting[], { key, value }: Setting) => list.some((item) => item.key === key && item.value === value);
  const describe = (setting: Setting, side: ChangedSetting['side'], others: readonly Setting[]): ChangedSetting => ({
    ...setting,
    ...{ file, side },
    other: others.find(({ key }) => key === setting.key)?.value,
    isGoldTopic: goldKeys.has(setting.key),
    cite: () => (side === 'added' ? file.citeAfter(setting) : file.citeBefore(setting)),
  });
  return [
    ...made.added.filter((item) => !isGolden(gold.added, item)).map((item) => describe(item, 'added', made.removed)),
    ...made.removed.filter((item) => !isGolden(gold.removed, item)).map((item) => describe(item, 'removed', made.added)),
  ];
}

/** Every test file that is known: those that the policy sees and those that grade. */
export function testPathsOf(subject: AuditSubject): readonly string[] {
  return [...new Set([...subject.task.visibleTests, ...subject.task.hiddenTests.keys()])];
}
