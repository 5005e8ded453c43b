import type { Outcome } from '@tadpole/contracts';
import { type CalibrationCandidate, type CandidateSource, type RollOut, seededRandom, type TaskFeatures } from '@tadpole/taskpilot';

/** A policy whose solve rates are known: a Rasch model of tasks whose features say a part of their difficulty. */
export interface SyntheticPolicy {
  readonly source: CandidateSource;
  readonly rollOut: RollOut<CalibrationCandidate>;
  /** The true solve rate at the present checkpoint. */
  rateOf(taskId: string): number;
  /** Every task becomes easier by the gain, and moves by its own drift besides. */
  advance(): void;
}

/** Settings of taskpilot.md section 5, "End to end Monte Carlo". */
const setting = {
  strategyMeans: [-4, -2.63, -1.27, 0.1, 1.47, 2.83, 4.2],
  repositories: 8,
  /** Standard deviation of the logit within a strategy: 3.2 over all of them. */
  spread: 1.7,
  explained: 0.3,
  gain: 0.8,
  drift: 0.6,
};

/** Weights of the standardised sizes and of the operator's sign; their squares sum to 1. */
const weights = { changedLines: -0.6, failToPass: 0.5, hintRung: 0.4, functionLines: -0.3, operator: 0.374 };

/** The same seed gives every strategy the same tasks; `stream` tells the rollouts of two runs apart. */
export function createSyntheticPolicy(options: { seed: number; stream: string }): SyntheticPolicy {
  const strategies = setting.strategyMeans.map((_, index) => `strategy-${index}`);
  const made = new Map(strategies.map((name) => [name, 0]));
  const logits = new Map<string, number>();
  const rollouts = seededRandom(`${options.seed} rollouts ${options.stream}`);
  const drifts = seededRandom(`${options.seed} drifts ${options.stream}`);
  let checkpoint = 0;
  const rateOf = (taskId: string) => 1 / (1 + Math.exp(-(logits.get(taskId) ?? 0)));
  return {
    rateOf,
    source: {
      strategies,
      repositories: Array.from({ length: setting.repositories }, (_, index) => `repository-${index}`),
      async next({ strategy }) {
        const index = made.get(strategy) ?? 0;
        made.set(strategy, index + 1);
        const { candidate, logit } = makeTask({ id: `${strategy}-${index}`, strategy, seed: options.seed });
        logits.set(candidate.id, logit + (setting.strategyMeans[strategies.indexOf(strategy)] ?? 0) + setting.gain * checkpoint);
        return candidate;
      },
    },
    async *rollOut({ requests }) {
      for (const { task, samples } of requests) {
        const rate = rateOf(task.id);
        for (const _ of samples) yield { taskId: task.id, outcome: rollouts() < rate ? solved : failed };
      }
    },
    advance() {
      checkpoint++;
      for (const [id, logit] of logits) logits.set(id, logit + setting.gain + setting.drift * normal(drifts));
    },
  };
}

const solved: Outcome = { status: 'scored', reward: 1, components: {}, tests: [] };
const failed: Outcome = { status: 'scored', reward: 0, components: {}, tests: [] };

function makeTask(options: { id: string; strategy: string; seed: number }): { candidate: CalibrationCandidate; logit: number } {
  const { id, strategy, seed } = options;
  const random = seededRandom(`${seed} ${id}`);
  const size = () => Math.max(0, Math.round(Math.expm1(3 + 0.8 * normal(random))));
  const operator = Math.floor(random() * 6);
  const features: TaskFeatures = {
    operator: `operator-${operator}`,
    failureKind: `failure-${Math.floor(random() * 4)}`,
    edits: 1,
    files: 1,
    changedLines: size(),
    failToPass: size(),
    passToPass: size(),
    hintRung: size(),
    statementCharacters: size(),
    repositoryLines: size(),
    functionLines: size(),
  };
  const standardised = (value: number) => (Math.log1p(value) - 3) / 0.8;
  const said =
    weights.changedLines * standardised(features.changedLines) +
    weights.failToPass * standardised(features.failToPass) +
    weights.hintRung * standardised(features.hintRung) +
    weights.functionLines * standardised(features.functionLines) +
    weights.operator * (operator < 3 ? 1 : -1);
  const logit = setting.spread * (Math.sqrt(setting.explained) * said + Math.sqrt(1 - setting.explained) * normal(random));
  const repository = `repository-${Math.floor(random() * setting.repositories)}`;
  return { candidate: { id, strategy, repository, features }, logit };
}

/** Box and Muller. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
