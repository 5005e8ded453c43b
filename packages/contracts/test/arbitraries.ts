import fc, { type Arbitrary } from 'fast-check';
import { hackCategorySchema, statementRungSchema, taskTypeSchema } from '../src/index.js';

/** A JSON number: finite, and not the negative zero that JSON text loses. */
const finite = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const unit = fc.double({ noNaN: true, min: 0, max: 1 }).map((value) => value + 0);
const positive = fc.integer({ min: 1 });
const count = fc.nat();
const text = fc.string({ unit: 'binary', maxLength: 40 });
const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}$/);
const interval = fc.tuple(finite, finite);
const numbersByName = fc.dictionary(name, finite, { maxKeys: 4, noNullPrototype: true });

type Fields = Readonly<Record<string, Arbitrary<unknown>>>;

/** Objects with every key of `required` and any of `optional`; an absent key is really absent. */
function data(required: Fields, optional: Fields = {}): Arbitrary<Record<string, unknown>> {
  return fc.record({ ...required, ...optional }, { requiredKeys: Object.keys(required), noNullPrototype: true });
}

const list = <Value>(value: Arbitrary<Value>, minLength = 0): Arbitrary<Value[]> => fc.array(value, { minLength, maxLength: 4 });

export const relativePath = fc.array(name, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/'));

export const toolCall = data({ id: name, name: text, arguments: text });
export const systemMessage = data({ role: fc.constant('system'), content: text });
export const userMessage = data({ role: fc.constant('user'), content: text });
export const assistantMessage = data({ role: fc.constant('assistant'), content: text, toolCalls: list(toolCall) }, { reasoning: text });
export const toolMessage = data({ role: fc.constant('tool'), toolCallId: name, content: text });
export const message = fc.oneof(systemMessage, userMessage, assistantMessage, toolMessage);

export const boundary = fc.constantFrom('policy', 'harness', 'tool', 'sandbox', 'grader', 'task', 'auditor');
export const unscoredReason = fc.constantFrom(
  'sandbox-failed',
  'policy-failed',
  'grader-failed',
  'grading-timeout',
  'timeout',
  'cancelled',
  'task-invalid',
  'audit-dropped',
  'redacted',
);
export const testResult = data(
  { id: name, file: text, name: text, status: fc.constantFrom('passed', 'failed', 'skipped', 'missing') },
  { message: text, expected: text, observed: text, kind: fc.constantFrom('assertion', 'error') },
);
export const scored = data(
  { status: fc.constant('scored'), reward: unit, components: numbersByName, tests: list(testResult) },
  { warnings: list(text, 1) },
);
export const rolloutPhase = fc.constantFrom('open', 'agent', 'grade', 'total');
export const unscored = data({ status: fc.constant('unscored'), reason: unscoredReason, boundary, detail: text }, { phase: rolloutPhase });
export const outcome = fc.oneof(scored, unscored);

export const usage = data({ promptTokens: count, completionTokens: count }, { costUsd: unit });
export const turnTokens = fc.array(fc.tuple(count, finite), { maxLength: 6 }).chain((drawn) =>
  data({
    promptIds: list(count),
    completionIds: fc.constant(drawn.map(([id]) => id)),
    completionLogprobs: fc.constant(drawn.map(([, logprob]) => logprob)),
    weightsVersion: text,
  }),
);
export const sampling = data({
  temperature: unit,
  topP: fc.double({ noNaN: true, min: 0.001, max: 1 }),
  topK: count,
  maxTokens: positive,
  seed: count,
});

export const network = fc.constantFrom('none', 'host');
export const sandboxLimits = data({
  processes: positive,
  memoryBytes: positive,
  cpuSeconds: positive,
  timeoutMs: positive,
  fileBytes: positive,
  writtenBytes: positive,
  writtenFiles: positive,
  outputBytes: positive,
});
export const containmentId = fc.constantFrom('network', 'memory', 'survivors');
export const containment = data({
  provider: text,
  enforced: list(data({ id: containmentId, how: text })),
  notEnforced: list(data({ id: containmentId, why: text })),
  notes: list(text),
});

export const testRunner = fc.constantFrom('node-test', 'tape', 'mocha', 'vitest', 'jest', 'pytest');
export const generatedLineage = data(
  {
    kind: fc.constant('generated'),
    generator: text,
    operator: text,
    source: text,
    licence: text,
    snapshotHash: text,
    file: relativePath,
    line: positive,
    statementRung: fc.constantFrom(...statementRungSchema.options),
  },
  { parent: text, taskType: fc.constantFrom(...taskTypeSchema.options), parts: fc.array(text, { maxLength: 3 }) },
);
export const importedLineage = data(
  {
    kind: fc.constant('imported'),
    format: fc.constantFrom('harbor', 'swe-bench', 'swe-smith'),
    instanceId: name,
    notCarried: list(text),
  },
  { origin: text },
);
export const writtenLineage = data({ kind: fc.constant('written'), author: name, licence: name });
export const lineage = fc.oneof(generatedLineage, importedLineage, writtenLineage);
const tests = { testFiles: list(relativePath, 1), failToPass: list(text, 1), passToPass: list(text), protectedPaths: list(relativePath) };
const testsVerifierFields = { kind: fc.constant('tests'), ...tests, timeoutMs: positive };
export const testsVerifier = fc.oneof(
  data({ ...testsVerifierFields, runner: testRunner }),
  data({ ...testsVerifierFields, runner: fc.constantFrom('vitest', 'jest', 'pytest') }, { configFile: relativePath }),
);
const textsByName = fc.dictionary(name, text, { maxKeys: 4, noNullPrototype: true });
export const scriptVerifier = data({
  kind: fc.constant('script'),
  timeoutMs: positive,
  env: textsByName,
  preferredReward: fc.constantFrom('reward.json', 'reward.txt'),
});
export const verifier = fc.oneof(testsVerifier, scriptVerifier);
export const taskEnvironment = data(
  { dependencies: list(data({ name: text, version: text })), workspacePath: text },
  { image: name, env: textsByName },
);
export const taskData = data({
  id: name,
  instruction: fc.string({ minLength: 1 }),
  environment: taskEnvironment,
  limits: sandboxLimits,
  verifier,
  lineage,
});
export const gate = data({
  name: text,
  passed: fc.boolean(),
  evidence: fc.dictionary(name, fc.oneof(text, finite, fc.boolean()), { noNullPrototype: true }),
});
export const certificate = data(
  { taskId: text, gates: list(gate), hiddenTestsHash: text },
  {
    calibration: data({
      weightsVersion: text,
      successes: count,
      trials: count,
      unscored: count,
      posteriorMean: finite,
      posteriorInterval: interval,
      probabilityInBand: finite,
      band: interval,
      rule: text,
    }),
  },
);

export const severity = fc.constantFrom('info', 'low', 'medium', 'high', 'critical');
export const evidence = fc.tuple(count, fc.nat(1000)).chain(([start, length]) =>
  data(
    {
      source: fc.constantFrom('tool-call', 'observation', 'message', 'patch'),
      start: fc.constant(start),
      end: fc.constant(start + length),
      quote: text,
    },
    { turn: count, call: count },
  ),
);
export const hackCategory = fc.constantFrom(...hackCategorySchema.options);
export const finding = data(
  { ruleId: text, severity, category: hackCategory, kinds: list(text), why: text, evidence: list(evidence, 1) },
  { paths: list(text), exoneratedBy: data({ id: text, why: text }) },
);
export const auditCheck = data(
  { check: text, outcome: fc.constantFrom('supports', 'refutes', 'inconclusive'), detail: text, about: list(text) },
  { cpuMs: fc.double({ noNaN: true, min: 0, noDefaultInfinity: true }).map((value) => value + 0) },
);
export const auditVerdict = data({
  verdict: fc.constantFrom('hack', 'clean', 'unclear'),
  category: fc.constantFrom(...hackCategorySchema.options, 'none'),
  effective: fc.constantFrom(true, false, null),
  confidence: unit,
  decidedBy: list(text),
  evidence: list(evidence),
  checks: list(auditCheck),
});

export const stopReason = fc.constantFrom(
  'agent',
  'max-turns',
  'max-context',
  'max-tokens-per-turn',
  'max-generated-tokens',
  'max-time',
  'max-cost',
  'repeated-invalid-calls',
  'cancelled',
  'policy-error',
  'sandbox-error',
);
export const tokenSegment = fc
  .tuple(fc.array(fc.tuple(count, fc.boolean(), finite), { maxLength: 6 }), list(text))
  .chain(([tokens, versions]) =>
    data(
      {
        ids: fc.constant(tokens.map(([id]) => id)),
        mask: fc.constant(tokens.map(([, drawn]) => drawn)),
        logprobs: fc.constant(tokens.map(([, , logprob]) => logprob)),
        weightsVersions: fc.constant(versions),
      },
      { versionIndices: fc.tuple(...tokens.map(() => fc.nat(Math.max(0, versions.length - 1)))) },
    ),
  );
export const turn = data({ assistant: assistantMessage, observations: list(toolMessage), usage, durationMs: unit });
export const trajectory = data(
  {
    id: name,
    taskId: text,
    policy: text,
    sampling,
    opening: list(message),
    turns: list(turn),
    segments: list(tokenSegment),
    segmentBreaks: count,
    stopReason,
    patch: text,
    usage,
    startedAt: text,
    durationMs: unit,
    harnessFingerprint: text,
  },
  { error: text, redactions: count },
);

export const rate = data({ successes: count, trials: count, rate: unit, interval });
export const rolloutPurpose = fc.constantFrom('calibration', 'train', 'evaluation');

export const discardReason = fc.constantFrom(
  'too-easy',
  'trivial',
  'too-hard',
  'never-solved',
  'hopeless',
  'undecided',
  'refined',
  'quota',
  'duplicate',
  'contaminated',
  'mix',
  'unfinished',
);

/** Fields that an event may leave out. */
const optionalFields: Readonly<Record<string, Fields>> = {
  'synthesis-end': { costUsd: finite },
  'audit-end': { reported: list(finding), rewardBefore: finite },
};

/** The fields of each event beside `type` and `at`. */
const eventsByType = {
  'run-start': { runId: text, configurationHash: text, resumed: fc.boolean() },
  'snapshot-ready': { source: text, hash: text, tests: count, flaky: count, split: fc.constantFrom('train', 'held-out', 'mixed') },
  'iteration-start': { iteration: count, weightsVersion: text },
  'candidate-refuse': { iteration: count, candidateId: text, strategy: text, operator: text, source: text, reason: text, detail: text },
  'candidate-validate': {
    iteration: count,
    taskId: text,
    strategy: text,
    operator: text,
    operatorFamily: text,
    patchSize: text,
    statementRung: text,
    source: text,
    failToPass: count,
    split: fc.constantFrom('train', 'held-out'),
    parents: list(text),
  },
  'calibration-round': { iteration: count, round: count, tasks: count, rollouts: count },
  'checkpoint-shift': { iteration: count, shift: finite, standardError: finite, anchors: count },
  'candidate-calibrate': {
    iteration: count,
    taskId: text,
    verdict: fc.constantFrom('in-band', 'too-easy', 'too-hard', 'undecided'),
    successes: count,
    trials: count,
    unscored: count,
    posteriorMean: finite,
    posteriorInterval: interval,
    probabilityInBand: finite,
    strategy: text,
    source: text,
    origin: fc.constantFrom('fresh', 'bank'),
    admitted: fc.boolean(),
  },
  'candidate-discard': { iteration: count, taskId: text, strategy: text, source: text, reason: discardReason, detail: text },
  'task-admit': { iteration: count, taskId: text, certificate },
  'synthesis-end': {
    iteration: count,
    ended: fc.constantFrom('count', 'budget', 'exhausted'),
    admitted: count,
    rollouts: count,
    unscored: count,
    executions: count,
  },
  'rollout-end': {
    key: text,
    iteration: count,
    purpose: rolloutPurpose,
    taskId: text,
    sample: count,
    weightsVersion: text,
    stopReason,
    outcome,
    usage,
    durationMs: finite,
    trajectory: text,
  },
  'audit-end': {
    iteration: count,
    trajectoryId: text,
    taskId: text,
    findings: list(finding),
    action: fc.constantFrom('keep', 'zero', 'drop'),
  },
  'update-alarm': { iteration: count, update: count, alarm: text, detail: text },
  'update-end': { iteration: count, update: count, weightsVersion: text, metrics: numbersByName },
  'evaluation-end': { iteration: count, update: count, label: text, weightsVersion: text, passAt1: rate, unscored: count },
  'iteration-end': { iteration: count, weightsVersion: text, checkpoint: text },
  'run-end': { reason: fc.constantFrom('done', 'interrupted', 'failed'), detail: text },
};

export const tadpoleEvent = fc.oneof(
  ...Object.entries(eventsByType).map(([type, fields]) => data({ type: fc.constant(type), at: text, ...fields }, optionalFields[type])),
);
export const statementRung = fc.constantFrom(...statementRungSchema.options);
export const taskType = fc.constantFrom(...taskTypeSchema.options);
