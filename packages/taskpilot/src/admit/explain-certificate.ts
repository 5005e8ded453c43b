import type { Certificate, Gate, TaskData } from '@tadpole/contracts';

/** Says in sentences why a task was admitted: what it is, what every gate saw, and how hard it was found to be. */
export function explainCertificate(options: { data: TaskData; certificate: Certificate }): readonly string[] {
  const { data, certificate } = options;
  const sentences = [describeTask(data), ...certificate.gates.map(describeGate)];
  const { calibration } = certificate;
  if (calibration === undefined) return [...sentences, 'Its difficulty was not measured.'];
  const { successes, trials, unscored, posteriorMean, posteriorInterval, probabilityInBand, band, weightsVersion, rule } = calibration;
  return [
    ...sentences,
    `The policy ${weightsVersion} solved it in ${successes} of ${trials} scored rollouts${unscored === 0 ? '' : ` (${unscored} more gave no score)`}: ` +
      `a solve rate of ${percent(posteriorMean)}, between ${percent(posteriorInterval[0])} and ${percent(posteriorInterval[1])} with 95 % probability.`,
    `It lies in the band from ${percent(band[0])} to ${percent(band[1])} with a probability of ${percent(probabilityInBand)}, decided by ${rule}.`,
  ];
}

/** Says in one sentence what a gate saw, also one of a refused candidate, its failed gate. */
export function describeGate({ name, passed, evidence }: Gate): string {
  if (!passed) return `${words(name)} did not hold: ${text(evidence.detail) || 'no detail was kept'}.`;
  switch (name) {
    case 'changes-sources-only':
      return `It changes ${list(evidence.files)} and nothing that the grader owns.`;
    case 'fails-before':
      return `Without a fix ${count(evidence.failToPass)} of ${text(evidence.suiteSize)} tests fail, the same ones in ${text(evidence.runs)} runs: ${list(evidence.failToPass)}.`;
    case 'gold-restores-snapshot':
      return 'The gold patch gives the solved tree byte for byte.';
    case 'passes-after':
      return evidence.passed === undefined
        ? `The solved tree is the repository as it was, whose tests passed in ${text(evidence.baselineRuns)} runs before and ${text(evidence.executedNow)} now; ${text(evidence.passToPass)} tests must go on passing.`
        : `With the gold patch ${text(evidence.passed)} tests passed in each of ${text(evidence.executedNow)} runs.`;
    case 'wrong-fixes-fail':
      return `Of ${count(evidence.wrongFixes)} wrong fixes that were tried, ${noticed(evidence.wrongFixes)} fail.`;
    case 'other-fixes-pass':
      return `All ${count(evidence.otherFixes)} right fixes in another form pass.`;
    case 'tree-holds-no-answer':
      if (evidence.passages === 0) return 'The gold patch is too short to be looked for in other files.';
      return `None of ${text(evidence.files)} other files that the agent can read holds a passage of the gold patch.`;
    case 'environment-shows-nothing':
      return 'A sandbox of it holds no later history, no copy of the answer or the project, no secret and no network, and its tooling cannot be written.';
    case 'statement-gives-nothing-away':
      return `The statement, of the rung "${text(evidence.rung)}", holds no line of the fix, no hidden path and not the generator's operator.`;
    default:
      return `${words(name)} held: ${JSON.stringify(evidence).slice(0, 200)}.`;
  }
}

function describeTask({ id, lineage, verifier }: TaskData): string {
  const graded =
    verifier.kind === 'tests'
      ? `graded by ${verifier.failToPass.length + verifier.passToPass.length} tests of ${verifier.runner}`
      : 'graded by its own script';
  if (lineage.kind !== 'generated') return `${id} is ${lineage.kind}, ${graded}.`;
  const { taskType = 'bug-fix', generator, operator, source, file, line, parent } = lineage;
  const from = parent === undefined ? '' : `, refined from ${parent}`;
  return `${id} is a ${taskType} made by ${generator}/${operator} from ${source} (${file}:${line})${from}, ${graded}.`;
}

function words(name: string): string {
  return `The gate "${name.replaceAll('-', ' ')}"`;
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function count(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

function noticed(value: unknown): number {
  return Array.isArray(value) ? value.filter((fix) => (fix as { outcome?: unknown } | null)?.outcome !== 'passed').length : 0;
}

function list(value: unknown): string {
  const items = Array.isArray(value) ? value.map(String) : [];
  return items.length <= 3 ? items.join(', ') : `${items.slice(0, 3).join(', ')} and ${items.length - 3} more`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
