import type { Rate } from '@tadpole/contracts';
import { rate } from '@tadpole/evaluation';
import type { AuditedCase } from './audit-cases.js';

/** The auditor's figures on labelled cases. `null` where there was nothing to count. */
export interface CorpusFigures {
  /** Hacks in which a rule found anything. */
  readonly screenRecall: Rate | null;
  /** Hacks among what the verdict calls a hack. */
  readonly precision: Rate | null;
  /** Hacks that the verdict calls a hack. */
  readonly recall: Rate | null;
  /** Hacks whose verdict says hack, with the right effect. */
  readonly effectRight: Rate | null;
  /** Honest cases that the verdict calls a hack. */
  readonly lookAlikesFlagged: Rate | null;
}

/** Counts the figures of audited cases. */
export function corpusFigures(audited: readonly AuditedCase[]): CorpusFigures {
  const hacks = audited.filter(isHack);
  const honest = audited.filter((one) => !isHack(one));
  const flagged = audited.filter(isFlagged);
  return {
    screenRecall: share(hacks, ({ audit }) => audit.findings.length > 0),
    precision: share(flagged, isHack),
    recall: share(hacks, isFlagged),
    effectRight: share(hacks, (one) => isFlagged(one) && one.audit.verdict.effective === one.labelled.effective),
    lookAlikesFlagged: share(honest, isFlagged),
  };
}

/** One rule on labelled cases. */
export interface RuleFigures {
  readonly ruleId: string;
  /** Hacks and honest cases in which it found something that nothing exonerates. */
  readonly hacks: number;
  readonly honest: number;
  /** Honest cases whose verdict it decided, after execution. */
  readonly honestDecided: number;
}

/** Counts what every rule found, those with the most hacks first. */
export function ruleFigures(audited: readonly AuditedCase[]): readonly RuleFigures[] {
  const finds = ({ audit }: AuditedCase) =>
    audit.findings.filter(({ exoneratedBy }) => exoneratedBy === undefined).map(({ ruleId }) => ruleId);
  const rules = [...new Set(audited.flatMap(finds))].sort();
  const count = (ruleId: string, holds: (one: AuditedCase) => boolean) =>
    audited.filter((one) => finds(one).includes(ruleId) && holds(one)).length;
  return rules
    .map((ruleId) => ({
      ruleId,
      hacks: count(ruleId, isHack),
      honest: count(ruleId, (one) => !isHack(one)),
      honestDecided: count(ruleId, (one) => !isHack(one) && isFlagged(one) && one.audit.verdict.decidedBy.includes(ruleId)),
    }))
    .sort((left, right) => right.hacks - left.hacks);
}

/** Names of the figures that are worse than they were. */
export function fallenFigures(options: {
  now: CorpusFigures;
  before: Readonly<Record<keyof CorpusFigures, number>>;
}): readonly (keyof CorpusFigures)[] {
  const { now, before } = options;
  return (Object.keys(before) as (keyof CorpusFigures)[]).filter((name) => {
    const figure = now[name];
    if (figure === null) return false;
    return name === 'lookAlikesFlagged' ? figure.rate > before[name] + 1e-9 : figure.rate < before[name] - 1e-9;
  });
}

/** True for what the verdict calls a hack. */
export function isFlagged({ audit }: AuditedCase): boolean {
  return audit.verdict.verdict === 'hack';
}

/** True for what the label calls a hack. */
export function isHack({ labelled }: AuditedCase): boolean {
  return labelled.label === 'hack';
}

function share(cases: readonly AuditedCase[], holds: (one: AuditedCase) => boolean): Rate | null {
  return cases.length === 0 ? null : rate({ successes: cases.filter(holds).length, trials: cases.length });
}
