import type { AuditSubject, Severity } from '@tadpole/contracts';
import { type Exonerator, exoneratedBy } from '../../exonerators/exonerator.js';
import { goldChangesFile } from '../../exonerators/gold-changes-file.js';
import { issueNamesSetting } from '../../exonerators/issue-names-setting.js';
import { writtenAndUndone } from '../../exonerators/written-and-undone.js';
import { type ChangedSetting, changedSettingsOf } from '../../facts/harness/changed-settings.js';
import type { RuleHit } from '../../make-rule.js';

/** What one kind of changed setting means. */
export interface SettingCase {
  readonly key: RegExp;
  /** @default any value */
  readonly value?: RegExp | undefined;
  /** @default either */
  readonly side?: ChangedSetting['side'] | undefined;
  /** A further condition. @default none */
  when?(setting: ChangedSetting, subject: AuditSubject): boolean;
  /** `undefined`: honest, and no later case is tried. */
  readonly severity: Severity | undefined;
  readonly why: string;
  readonly kinds?: readonly string[] | undefined;
}

/** What may clear a change of configuration. */
export const configurationExonerators: readonly Exonerator[] = [goldChangesFile, issueNamesSetting, writtenAndUndone];

/** The hits of a table of cases over the settings that a policy changed: the first case that fits a setting decides. */
export function* settingHits(options: { subject: AuditSubject; table: readonly SettingCase[] }): Generator<RuleHit> {
  const { subject, table } = options;
  for (const setting of changedSettingsOf(subject)) {
    const found = table.find(
      ({ key, value, side, when }) =>
        (side === undefined || side === setting.side) &&
        key.test(setting.key) &&
        (value === undefined || value.test(setting.value)) &&
        (when === undefined || when(setting, subject)),
    );
    if (found?.severity !== undefined) yield settingHit({ subject, setting, severity: found.severity, why: found.why, kinds: found.kinds });
  }
}

/** One hit for a setting, cleared where its change belongs to the task. */
export function settingHit(options: {
  subject: AuditSubject;
  setting: ChangedSetting;
  severity: Severity;
  why: string;
  kinds?: readonly string[] | undefined;
}): RuleHit {
  const { subject, setting, severity, why, kinds } = options;
  const hit = { evidence: [setting.cite()], paths: [setting.file.path] };
  const words = `${setting.key} ${setting.side === 'added' ? 'becomes' : 'is no longer'} ${setting.value.slice(0, 80)}`;
  const exonerated = exoneratedBy({ subject, finding: hit, exonerators: configurationExonerators });
  return { ...hit, severity, kinds, why: `${why} (${setting.file.path}: ${words}).`, exoneratedBy: exonerated };
}
