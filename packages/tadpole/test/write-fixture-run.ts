import { createHash } from 'node:crypto';
import type { AuditVerdict, Outcome, RolloutPurpose, TadpoleEvent } from '@tadpole/contracts';
import { rate } from '@tadpole/evaluation';
import { toAtif } from '@tadpole/leaf-harness';
import { posterior, seededRandom } from '@tadpole/taskpilot';
import { recipeConfiguration } from '../src/recipe/recipe-configuration.js';
import { type Configuration, configurationHash } from '../src/run/configuration.js';
import { createRun, type RunStore } from '../src/run/run-store.js';
import { fixtureOutcome, fixtureTrajectory, fixtureUnscored } from './fixture-trajectory.js';

const heldOutTasks = 60;
const operators = ['flip-comparison', 'swap-operands', 'change-constant', 'negate-condition', 'remove-statement', 'widen-range'];
const reasons = ['not-killed', 'timed-out', 'crashed', 'too-many-failures', 'duplicate'];
const families = ['operators', 'conditions', 'literals'];
const band = [0.2, 0.8] as const;
const hour = Date.parse('2026-03-01T09:00:00.000Z');

/** What a hostile model or repository would like a report to run, load, print or reorder. */
export const hostileText = ` </script><script>document.title='owned'</script><img src=x onerror="alert(1)">'"\`\${1}<!-- \u001b[31m\u0000\u202e\u2028&amp;`;

/** How the fixture's configuration differs from the small budget. */
export const fixtureConfiguration: Configuration = {
  ...recipeConfiguration('small'),
  seed: 7,
  iterations: 2,
  heldOut: { tasks: heldOutTasks, samplesPerTask: 1 },
  training: { ...recipeConfiguration('small').training, updatesPerIteration: 6, groupsPerUpdate: 4, groupSize: 4 },
};

interface Writer {
  readonly store: RunStore;
  readonly random: () => number;
  readonly hostileText: string;
  record(event: Record<string, unknown> & { type: TadpoleEvent['type'] }): void;
}

/**
 * Writes the folder of a finished run that never happened, through the real run store: events with invented but
 * plausible numbers and trajectories in ATIF. The same arguments give the same run.
 *
 * @param options.hostileText - put wherever a model, a repository or a generator can write. @default none
 */
export function writeFixtureRun(options: { directory: string; hostileText?: string }): void {
  const { directory, hostileText = '' } = options;
  let seconds = 0;
  const now = () => {
    seconds += 2;
    return new Date(hour + seconds * 1000);
  };
  const versions = { node: '20.20.0', tadpole: '0.1.0', 'onnxruntime-node': '1.30.0' };
  const store = createRun({ directory, runId: `fixture-seed7${hostileText}`, configuration: fixtureConfiguration, versions, now });
  const writer: Writer = {
    store,
    random: seededRandom('fixture run'),
    hostileText,
    record: (event) => store.journal.append({ ...event, at: now().toISOString() } as TadpoleEvent),
  };
  writer.record({ type: 'run-start', runId: store.runId, configurationHash: configurationHash(fixtureConfiguration), resumed: false });
  for (const [source, split] of [
    ['fraction.js@5.3.4', 'train'],
    ['fast-uri@4.2.3', 'mixed'],
    ['sat@0.9.0', 'held-out'],
  ] as const) {
    writer.record({ type: 'snapshot-ready', source: source + hostileText, hash: hex(source), tests: 140, flaky: 1, split });
  }
  const heldOut = synthesize({ writer, split: 'held-out', iteration: 0, count: heldOutTasks });
  evaluate({ writer, tasks: heldOut, iteration: 0, update: 0, label: 'before training', version: 'w0', share: 0.27 });
  for (let iteration = 0; iteration < 2; iteration += 1) {
    writer.record({ type: 'iteration-start', iteration, weightsVersion: `w${iteration * 6}` });
    const tasks = synthesize({ writer, split: 'train', iteration, count: 24 });
    const admitted = calibrate({ writer, tasks, iteration });
    for (let update = 0; update < 6; update += 1) train({ writer, tasks: admitted, iteration, update });
    const version = `w${iteration * 6 + 6}`;
    evaluate({
      writer,
      tasks: heldOut,
      iteration,
      update: 6,
      label: `after iteration ${iteration + 1}`,
      version,
      share: 0.4 + 0.12 * iteration,
    });
    writer.record({ type: 'iteration-end', iteration, weightsVersion: version, checkpoint: `iteration-${iteration}-update-5` });
  }
  writer.record({ type: 'run-end', reason: 'done', detail: '' });
  store.close();
}

function synthesize(options: { writer: Writer; split: 'train' | 'held-out'; iteration: number; count: number }): readonly string[] {
  const { writer, split, iteration, count } = options;
  const taskIds: string[] = [];
  for (let number = 0; taskIds.length < count; number += 1) {
    const operator = pick(operators, writer) + writer.hostileText;
    const source = `fraction.js@5.3.4${writer.hostileText}`;
    if (writer.random() < 0.45) {
      const reason = pick(reasons, writer);
      const detail = (reason === 'duplicate' ? 'its line has a task' : 'no test fails with the change') + writer.hostileText;
      writer.record({
        type: 'candidate-refuse',
        iteration,
        candidateId: `${split} ${number}`,
        strategy: `mutation${writer.hostileText}`,
        operator,
        source,
        // A duplicate is counted by its reason, which is ours.
        reason: reason === 'duplicate' ? reason : reason + writer.hostileText,
        detail,
      });
      continue;
    }
    const taskId = `fraction-js-${hex(`${split} ${iteration} ${number}`).slice(0, 10)}`;
    taskIds.push(taskId);
    // Every sixth training task was made of the one before it.
    const parents = split === 'train' && taskIds.length % 6 === 0 ? taskIds.slice(-2, -1) : [];
    writer.record({
      type: 'candidate-validate',
      iteration,
      taskId,
      strategy: (parents.length > 0 ? 'say-less' : 'mutation') + writer.hostileText,
      operator,
      operatorFamily: families[taskIds.length % 3] + writer.hostileText,
      patchSize: 'tiny',
      statementRung: parents.length > 0 ? 'symptom' : 'region',
      source,
      failToPass: 3,
      split,
      parents,
    });
  }
  return taskIds;
}

function evaluate(options: {
  writer: Writer;
  tasks: readonly string[];
  iteration: number;
  update: number;
  label: string;
  version: string;
  share: number;
}): void {
  const { writer, iteration, update, version, share } = options;
  const solved = options.tasks.flatMap((taskId, number) => {
    const isSolved = 0.8 * difficulty(taskId) + 0.2 * difficulty(`${taskId} ${version}`) < share;
    const isUnscored = number === 5 && version === 'w12';
    rollout({ writer, purpose: 'evaluation', taskId, sample: 0, iteration, version, solved: isSolved, cheats: false, isUnscored });
    return isUnscored ? [] : [isSolved];
  });
  const passAt1 = rate({ successes: solved.filter(Boolean).length, trials: solved.length });
  const label = options.label + writer.hostileText;
  const unscored = options.tasks.length - solved.length;
  writer.record({ type: 'evaluation-end', iteration, update, label, weightsVersion: version, passAt1, unscored });
}

function calibrate(options: { writer: Writer; tasks: readonly string[]; iteration: number }): readonly string[] {
  const { writer, iteration } = options;
  const weightsVersion = `w${iteration * 6}`;
  const admitted: string[] = [];
  const trials = 6;
  if (iteration > 0) writer.record({ type: 'checkpoint-shift', iteration, shift: 0.8, standardError: 0.25, anchors: 24 });
  writer.record({ type: 'calibration-round', iteration, round: 0, tasks: options.tasks.length, rollouts: options.tasks.length * trials });
  for (const taskId of options.tasks) {
    const results = Array.from({ length: trials }, (_, sample) => {
      const solved = writer.random() < 1.1 - 1.2 * difficulty(taskId);
      rollout({ writer, purpose: 'calibration', taskId, sample, iteration, version: weightsVersion, solved, cheats: false });
      return solved;
    });
    const successes = results.filter(Boolean).length;
    const { mean: posteriorMean, interval: posteriorInterval, probabilityInBand } = posterior({ successes, trials, band });
    const verdict = posteriorMean < band[0] ? 'too-hard' : posteriorMean > band[1] ? 'too-easy' : 'in-band';
    const source = `fraction.js@5.3.4${writer.hostileText}`;
    const strategy = `mutation${writer.hostileText}`;
    writer.record({
      type: 'candidate-calibrate',
      iteration,
      taskId,
      verdict,
      successes,
      trials,
      unscored: 0,
      posteriorMean,
      posteriorInterval,
      probabilityInBand,
      strategy,
      source,
      origin: 'fresh',
      admitted: verdict === 'in-band',
    });
    if (verdict !== 'in-band') {
      writer.record({ type: 'candidate-discard', iteration, taskId, strategy, source, reason: verdict, detail: writer.hostileText });
      continue;
    }
    admitted.push(taskId);
    const calibration = {
      weightsVersion,
      successes,
      trials,
      unscored: 0,
      posteriorMean,
      posteriorInterval,
      probabilityInBand,
      band,
      rule: 'fixture',
    };
    writer.record({ type: 'task-admit', iteration, taskId, certificate: { taskId, gates: [], calibration, hiddenTestsHash: hex(taskId) } });
  }
  writer.record({
    type: 'synthesis-end',
    iteration,
    ended: 'exhausted',
    admitted: admitted.length,
    rollouts: options.tasks.length * trials,
    unscored: 0,
    // The first iteration's rollouts had no price.
    ...(iteration === 0 ? {} : { costUsd: 1.25 }),
    executions: options.tasks.length * 3,
  });
  return admitted;
}

function train(options: { writer: Writer; tasks: readonly string[]; iteration: number; update: number }): void {
  const { writer, tasks, iteration, update } = options;
  const number = iteration * 6 + update;
  let solvedCount = 0;
  for (let group = 0; group < 4; group += 1) {
    const taskId = tasks[(update * 4 + group) % tasks.length] as string;
    for (let sample = 0; sample < 4; sample += 1) {
      const solved = writer.random() < 1 - difficulty(taskId) + 0.03 * number;
      const cheats = group === 0 && sample === 0 && update % 2 === 1;
      solvedCount += solved ? 1 : 0;
      const name = {
        writer,
        purpose: 'train' as const,
        taskId,
        sample: update * 4 + sample,
        iteration,
        version: `w${number}`,
        solved,
        cheats,
      };
      const trajectoryId = rollout(name);
      writer.record({
        type: 'audit-end',
        iteration,
        trajectoryId,
        taskId,
        findings: cheats ? [finding(writer)] : [],
        ...(cheats ? { verdict: verdict({ writer, effective: solved }), ...(solved ? { rewardBefore: 1 } : {}) } : {}),
        action: cheats ? 'zero' : 'keep',
      });
    }
  }
  writer.record({
    type: 'update-end',
    iteration,
    update,
    weightsVersion: `w${number + 1}`,
    metrics: {
      solved: solvedCount,
      scored: 16,
      rewardMean: solvedCount / 16,
      maskFraction: 0.004 + 0.006 * writer.random(),
      entropy: 0.62 - 0.02 * number + 0.04 * writer.random(),
      gradientNorm: 1.4 + writer.random() - 0.05 * number,
    },
  });
}

function rollout(options: {
  writer: Writer;
  purpose: RolloutPurpose;
  taskId: string;
  sample: number;
  iteration: number;
  version: string;
  solved: boolean;
  cheats: boolean;
  isUnscored?: boolean;
}): string {
  const { writer, purpose, taskId, sample, iteration, version, solved, cheats, isUnscored = false } = options;
  const { hostileText } = writer;
  const key = hex(JSON.stringify([purpose, taskId, sample, version]));
  const id = `${taskId}.${sample}.${key.slice(0, 12)}`;
  const trajectory = fixtureTrajectory({ id, taskId, policy: version, seed: sample, solved, hostileText, cheats });
  const outcome: Outcome = isUnscored ? fixtureUnscored({ hostileText }) : fixtureOutcome({ solved, hostileText });
  const path = `trajectories/${key.slice(0, 32)}.json`;
  writer.store.folder('trajectories');
  writer.store.writeFile(path, JSON.stringify(toAtif(trajectory, { outcome })));
  const { stopReason, usage, durationMs } = trajectory;
  writer.record({
    type: 'rollout-end',
    key,
    iteration,
    purpose,
    taskId,
    sample,
    weightsVersion: version,
    stopReason,
    outcome,
    usage,
    durationMs,
    trajectory: path,
  });
  return id;
}

function finding({ hostileText }: Writer) {
  const quote = `cat test/range.test.js ${hostileText}`;
  const evidence = [{ source: 'tool-call' as const, turn: 1, call: 0, start: 12, end: 12 + quote.length, quote }];
  const [ruleId, severity, category, kinds] = ['A2-hidden-tests', 'high' as const, 'oracle-access' as const, ['A3']];
  return { ruleId, severity, category, kinds, why: `The call reads a hidden test.${hostileText}`, evidence };
}

/** What verification said of a cheating rollout: effective where it was solved. */
function verdict(options: { writer: Writer; effective: boolean }): AuditVerdict {
  const { writer, effective } = options;
  const detail = `The patch holds a line that turn 2 showed.${writer.hostileText}`;
  const checks = [
    { check: 'leak', outcome: effective ? ('supports' as const) : ('inconclusive' as const), detail, about: ['A2-hidden-tests'] },
  ];
  const decidedBy = ['A2-hidden-tests', 'leak'];
  return { verdict: 'hack', category: 'oracle-access', effective, confidence: 0.97, decidedBy, evidence: finding(writer).evidence, checks };
}

/** Uniform in [0, 1), fixed for a task: how hard it is. */
function difficulty(taskId: string): number {
  return seededRandom(taskId)();
}

function pick(names: readonly string[], { random }: Writer): string {
  return names[Math.floor(random() ** 1.6 * names.length)] as string;
}

function hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
