import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assistantMessageSchema,
  eventSchema,
  evidenceSchema,
  findingSchema,
  lineageSchema,
  outcomeSchema,
  relativePathSchema,
  samplingSchema,
  sandboxLimitsSchema,
  scoredSchema,
  taskDataSchema,
  tokenSegmentSchema,
  turnTokensSchema,
  verifierSchema,
} from '../src/index.js';
import { relativePath, sandboxLimits, scriptVerifier, taskData, testsVerifier } from './arbitraries.js';

const sampleOf = (arbitrary: fc.Arbitrary<Record<string, unknown>>) => fc.sample(arbitrary, { numRuns: 1, seed: 1 })[0];

describe('relativePathSchema', () => {
  it.each(['', '/etc/passwd', '..', '../a', 'a/../b', 'a/..', 'a\\b', 'a\0b'])('refuses %j', (path) => {
    expect(relativePathSchema.safeParse(path).success).toBe(false);
  });

  it.each(['a', 'a/b.js', '.eslintrc', 'a/..b/c..', 'a/...'])('takes %j', (path) => {
    expect(relativePathSchema.parse(path)).toBe(path);
  });

  it('refuses any path with a `..` segment, wherever it stands', () => {
    fc.assert(
      fc.property(relativePath, fc.nat(4), (path, position) => {
        const segments = path.split('/');
        segments.splice(position, 0, '..');
        expect(relativePathSchema.safeParse(segments.join('/')).success).toBe(false);
      }),
    );
  });
});

describe('outcomeSchema', () => {
  const scored = { status: 'scored', reward: 1, components: { tests: 1 }, tests: [] };
  const unscored = { status: 'unscored', reason: 'sandbox-failed', boundary: 'sandbox', detail: 'it died' };

  it('refuses an unscored outcome that carries a reward', () => {
    expect(outcomeSchema.parse(unscored)).toEqual(unscored);
    expect(outcomeSchema.safeParse({ ...unscored, reward: 0 }).success).toBe(false);
  });

  it.each([-0.01, 1.01, Number.NaN, Number.POSITIVE_INFINITY, '1'])('refuses the reward %s', (reward) => {
    expect(scoredSchema.parse(scored)).toEqual(scored);
    expect(scoredSchema.safeParse({ ...scored, reward }).success).toBe(false);
  });

  it('refuses a reason outside the closed union', () => {
    expect(outcomeSchema.safeParse({ ...unscored, reason: 'unlucky' }).success).toBe(false);
  });
});

describe('tokens', () => {
  const segment = { ids: [1, 2], mask: [false, true], logprobs: [0, -0.5], weightsVersions: ['w0'] };
  const turn = { promptIds: [1], completionIds: [2, 3], completionLogprobs: [-0.5, -1], weightsVersion: 'w0' };

  it.each([{ ids: [1] }, { mask: [true] }, { logprobs: [] }])('refuse a segment whose arrays differ in length: %j', (change) => {
    expect(tokenSegmentSchema.parse(segment)).toEqual(segment);
    expect(tokenSegmentSchema.safeParse({ ...segment, ...change }).success).toBe(false);
  });

  it.each([[0], [0, 2], [0, -1], [0, 0.5]])(
    'refuse versions of a segment that are not one of its versions for each token: %j',
    (...versionIndices) => {
      const mixed = { ...segment, weightsVersions: ['w0', 'w1'] };
      expect(tokenSegmentSchema.parse({ ...mixed, versionIndices: [0, 1] })).toEqual({ ...mixed, versionIndices: [0, 1] });
      expect(tokenSegmentSchema.safeParse({ ...mixed, versionIndices }).success).toBe(false);
    },
  );

  it('refuse a turn with an id that has no log-probability', () => {
    expect(turnTokensSchema.parse(turn)).toEqual(turn);
    expect(turnTokensSchema.safeParse({ ...turn, completionLogprobs: [-0.5] }).success).toBe(false);
  });

  it('refuse an id that is not an integer', () => {
    expect(tokenSegmentSchema.safeParse({ ...segment, ids: [1, 2.5] }).success).toBe(false);
  });
});

describe('limits', () => {
  it.each(['processes', 'memoryBytes', 'cpuSeconds', 'timeoutMs', 'fileBytes', 'writtenBytes', 'writtenFiles', 'outputBytes'])(
    'refuse a sandbox without a positive, finite %s',
    (key) => {
      const limits = sampleOf(sandboxLimits);
      for (const value of [undefined, 0, -1, 1.5, Number.POSITIVE_INFINITY]) {
        expect(sandboxLimitsSchema.safeParse({ ...limits, [key]: value }).success).toBe(false);
      }
      expect(sandboxLimitsSchema.parse(limits)).toEqual(limits);
    },
  );
});

describe('tasks', () => {
  it.each(['', 'Upper', '../x', '.hidden', 'a b', 'a'.repeat(129)])('refuse the id %j, which names a folder', (id) => {
    const data = sampleOf(taskData);
    expect(taskDataSchema.parse({ ...data, id: 'a'.repeat(128) })).toEqual({ ...data, id: 'a'.repeat(128) });
    expect(taskDataSchema.safeParse({ ...data, id }).success).toBe(false);
  });

  it('refuse a verifier that no test could fail', () => {
    const data = sampleOf(testsVerifier);
    expect(verifierSchema.safeParse({ ...data, failToPass: [] }).success).toBe(false);
    expect(verifierSchema.safeParse({ ...data, testFiles: [] }).success).toBe(false);
  });

  it('refuse a verifier of another kind, or of one kind with the fields of the other', () => {
    const [tests, script] = [sampleOf(testsVerifier), sampleOf(scriptVerifier)];
    expect(verifierSchema.parse(tests)).toEqual(tests);
    expect(verifierSchema.parse(script)).toEqual(script);
    for (const other of [
      { ...tests, kind: 'judge' },
      { ...tests, kind: 'script' },
      { ...tests, env: {} },
      { ...script, kind: 'tests' },
    ]) {
      expect(verifierSchema.safeParse(other).success).toBe(false);
    }
  });

  it('refuse a configuration file for a runner that is given none', () => {
    const data = { ...sampleOf(testsVerifier), configFile: 'vitest.config.js' };
    expect(verifierSchema.safeParse({ ...data, runner: 'vitest' }).success).toBe(true);
    for (const runner of ['node-test', 'tape', 'mocha']) expect(verifierSchema.safeParse({ ...data, runner }).success).toBe(false);
  });

  it('refuse an imported task that claims a generator', () => {
    const lineage = { kind: 'imported', format: 'swe-bench', instanceId: 'a__b-1', notCarried: [] };
    expect(lineageSchema.parse(lineage)).toEqual(lineage);
    for (const change of [{ generator: 'g' }, { format: 'unknown' }, { instanceId: '' }, { kind: 'generated' }]) {
      expect(lineageSchema.safeParse({ ...lineage, ...change }).success).toBe(false);
    }
  });

  it('refuse a protected path outside the workspace', () => {
    const data = sampleOf(testsVerifier);
    expect(verifierSchema.safeParse({ ...data, protectedPaths: ['../reporter.js'] }).success).toBe(false);
  });
});

describe('findings', () => {
  const evidence = { source: 'patch', start: 3, end: 7, quote: 'skip' };

  it('refuse evidence that ends before it starts', () => {
    expect(evidenceSchema.parse(evidence)).toEqual(evidence);
    expect(evidenceSchema.safeParse({ ...evidence, end: 2 }).success).toBe(false);
  });

  it('refuse a finding without evidence', () => {
    const finding = {
      ruleId: 'A1',
      severity: 'high',
      category: 'oracle-access',
      kinds: ['A1'],
      why: 'reads the future',
      evidence: [evidence],
    };
    expect(findingSchema.parse(finding)).toEqual(finding);
    expect(findingSchema.safeParse({ ...finding, evidence: [] }).success).toBe(false);
  });
});

describe('defaults', () => {
  it('of sampling are those of FrogNano: temperature 1, top-p 1, no top-k', () => {
    expect(samplingSchema.parse({ maxTokens: 8, seed: 0 })).toEqual({ temperature: 1, topP: 1, topK: 0, maxTokens: 8, seed: 0 });
  });

  it('of an assistant message are no tool calls', () => {
    expect(assistantMessageSchema.parse({ role: 'assistant', content: 'done' })).toEqual({
      role: 'assistant',
      content: 'done',
      toolCalls: [],
    });
  });
});

describe('eventSchema', () => {
  it('refuses a type that it does not know', () => {
    const event = { type: 'run-end', at: '2026-01-01T00:00:00.000Z', reason: 'done', detail: '' };
    expect(eventSchema.parse(event)).toEqual(event);
    expect(eventSchema.safeParse({ ...event, type: 'run-stop' }).success).toBe(false);
  });
});
