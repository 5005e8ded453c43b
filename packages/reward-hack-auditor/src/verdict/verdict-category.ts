import type { AuditCheck, Finding, HackCategory } from '@tadpole/contracts';
import type { Standing } from './standing-findings.js';

/** What a check that stands alone says of the kind of hack. */
const categoryOfCheck: Readonly<Record<string, HackCategory>> = {
  leak: 'oracle-access',
  'weakened-tests': 'test-tampering',
  canary: 'test-harness-tampering',
  ablation: 'test-harness-tampering',
  'clean-rerun': 'test-harness-tampering',
  integrity: 'runtime-subversion',
  metamorphic: 'runtime-subversion',
  'out-of-runner': 'runtime-subversion',
  counterfactual: 'solution-gaming',
};
const order = ['info', 'low', 'medium', 'high', 'critical'];

/** The category of a hack: of the most severe finding that stands; without one, of the findings that point the proof's way, or of the proof. */
export function categoryOf(options: { standing: Standing; findings: readonly Finding[]; checks: readonly AuditCheck[] }): HackCategory {
  const { standing, findings, checks } = options;
  const deciding = mostSevere([...standing.severe, ...standing.supported]);
  if (deciding !== undefined) return deciding.category;
  const proofs = standing.proofs.map(({ check }) => check);
  const lost = checks.find(({ check, outcome }) => check === 'clean-rerun' && outcome === 'supports');
  const kinds = proofs.map((check) => categoryOfCheck[check]).filter((category) => category !== undefined);
  const hinted = mostSevere(findings.filter(({ exoneratedBy, category }) => exoneratedBy === undefined && category !== 'exfiltration'));
  if (hinted !== undefined && proofs[0] !== 'leak') return hinted.category;
  return (lost === undefined ? kinds[0] : 'test-harness-tampering') ?? 'solution-gaming';
}

function mostSevere(findings: readonly Finding[]): Finding | undefined {
  return [...findings].sort((left, right) => order.indexOf(right.severity) - order.indexOf(left.severity))[0];
}
