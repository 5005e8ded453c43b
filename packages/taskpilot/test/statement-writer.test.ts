import { isTadpoleError } from '@tadpole/contracts';
import { describe, expect, test } from 'vitest';
import { createStatementWriter, type ModelCall, type StatementInformation, type TaskDraft } from '../src/index.js';
import { addedLines } from '../src/validate/task-draft.js';
import { validateCandidate } from '../src/validate/validate-candidate.js';
import { modelServer, says } from './support/model-server.js';
import { replaceInSample, sampleBaseline, sampleLimits, sampleSnapshot } from './support/sample-project.js';
import { createScriptedExecutor } from './support/test-executors.js';

const failed = sampleBaseline.map((result) =>
  result.name === 'measures its width'
    ? {
        ...result,
        status: 'failed' as const,
        kind: 'assertion' as const,
        expected: '-3',
        observed: '0',
        message: 'AssertionError: 0 !== -3',
      }
    : result,
);
const [broken, healthy] = [failed, sampleBaseline].map((tests) => ({
  ...{ status: 'completed' as const, tests, output: '', durationMs: 0 },
})) as [Parameters<typeof createScriptedExecutor>[0][number], Parameters<typeof createScriptedExecutor>[0][number]];

async function draftOfSample(): Promise<TaskDraft> {
  const result = await validateCandidate({
    snapshot: sampleSnapshot(),
    candidate: replaceInSample({ before: 'Math.max(high - low, 0)', after: 'Math.max(high - low, 1)' }),
    executor: createScriptedExecutor([broken, broken, healthy, healthy]),
    limits: sampleLimits,
    random: () => 0,
    rung: 'symptom',
  });
  if (result.status !== 'valid') throw new Error(result.detail);
  return result.draft;
}

async function rewriteWith(options: {
  statements: readonly string[];
  information: StatementInformation;
  failures?: Parameters<ReturnType<typeof createStatementWriter>['rewrite']>[0]['failures'];
  budget?: { calls: number };
}) {
  const { statements, information, budget, failures } = options;
  const server = await modelServer(statements.map((statement) => says(JSON.stringify({ statement }))));
  const calls: ModelCall[] = [];
  const writer = createStatementWriter({
    endpoint: { baseURL: server.baseURL, model: 'scripted' },
    onCall: (call) => calls.push(call),
    ...(budget === undefined ? {} : { budget }),
  });
  const draft = await draftOfSample();
  const result = await writer.rewrite({ draft, information, seed: 1, ...(failures === undefined ? {} : { failures }) });
  const outcomes = calls.map(({ kind, outcome, reason }) => [kind, outcome, reason].filter(Boolean).join(' '));
  return { draft, result, outcomes, received: server.received, spent: writer.spent() };
}

const symptom = 'The width of an empty range is wrong: it should be -3 and 0 comes out.';

describe('a statement in a model’s words', () => {
  test.each<[StatementInformation, string]>([
    ['symptom', symptom],
    ['contract', `${symptom} A width is never clipped.`],
    ['file', `${symptom} It comes from lib/range.js.`],
    ['function', `${symptom} See width in lib/range.js.`],
  ])('that gives as much as %s makes a new draft of the same task', async (information, statement) => {
    const { draft, result, outcomes, spent } = await rewriteWith({ statements: [statement], information });
    if (result.status !== 'written') throw new Error(result.reason);
    expect(outcomes).toEqual(['statement accepted']);
    expect(spent).toEqual({ calls: 1, promptTokens: 300, completionTokens: 20 });
    expect(result.draft.data).toEqual({
      ...draft.data,
      id: expect.not.stringMatching(draft.data.id),
      instruction: statement,
      lineage: { ...draft.data.lineage, statementRung: 'written', parent: draft.data.id },
    });
    expect(result.draft.gates.find(({ name }) => name === 'statement-gives-nothing-away')!.evidence).toEqual({
      statement,
      rung: 'written',
    });
    expect({ ...result.draft, data: 0, gates: 0 }).toEqual({ ...draft, data: 0, gates: 0 });
  });

  test.each<[string, StatementInformation, string, string]>([
    ['gives the repair', 'symptom', `${symptom} Write return Math.max(high - low, 0);`, 'leaky-statement'],
    ['names a hidden test', 'symptom', `${symptom} See test/range.test.js.`, 'leaky-statement'],
    ['names the file where it should not', 'contract', `${symptom} It comes from lib/range.js.`, 'wrong-information'],
    ['does not name it where it should', 'file', symptom, 'wrong-information'],
    ['does not say what was expected', 'symptom', 'The width of an empty range is 0.', 'under-determined'],
    ['does not say what came', 'symptom', 'The width of an empty range should be -3.', 'under-determined'],
    ['is empty', 'symptom', '', 'wrong-schema'],
  ])('that %s is asked for once more, then refused', async (_, information, statement, reason) => {
    const right = information === 'file' ? `${symptom} It comes from lib/range.js.` : symptom;
    const repaired = await rewriteWith({ statements: [statement, right], information });
    expect(repaired.outcomes).toEqual([`statement repaired ${reason}`, 'statement accepted']);
    const refused = await rewriteWith({ statements: [statement, statement], information });
    expect(refused.outcomes).toEqual([`statement repaired ${reason}`, `statement refused ${reason}`]);
    expect(refused.result).toEqual({ status: 'refused', reason });
  });

  test('is written without a line of the gold patch, whatever the failures print', async () => {
    const failure = { ...failed[3]!, expected: undefined, message: 'seen near\n  return Math.max(high - low, 0);\nand elsewhere' };
    const { draft, received } = await rewriteWith({
      statements: [`${symptom} return Math.max(high - low, 0);`, symptom],
      information: 'symptom',
      failures: [failure],
    });
    const [gold] = addedLines(draft.goldPatch).map((line) => line.trim());
    expect(gold).toBe('return Math.max(high - low, 0);');
    const shown = received.flatMap(({ body }) => body.messages.filter(({ role }) => role === 'user').map(({ content }) => content));
    expect(shown).toHaveLength(3);
    expect(shown.join('\n')).not.toContain(gold);
    expect(shown[0]).toContain('seen near');
    expect(shown[0]).toContain('return Math.max(high - low, 1);');
  });

  test('is not asked for when the budget is spent', async () => {
    const server = await modelServer([says(JSON.stringify({ statement: symptom }))]);
    const writer = createStatementWriter({ endpoint: { baseURL: server.baseURL, model: 'scripted' }, budget: { calls: 1 } });
    const draft = await draftOfSample();
    expect(await writer.rewrite({ draft, information: 'symptom', seed: 1 })).toMatchObject({ status: 'written' });
    expect(await writer.rewrite({ draft, information: 'symptom', seed: 2 })).toEqual({ status: 'refused', reason: 'budget' });
  });

  test('ends with code aborted by a signal', async () => {
    const server = await modelServer([]);
    const writer = createStatementWriter({ endpoint: { baseURL: server.baseURL, model: 'scripted' } });
    const rewriting = writer.rewrite({ draft: await draftOfSample(), information: 'symptom', seed: 1, signal: AbortSignal.abort() });
    await expect(rewriting).rejects.toSatisfy((error) => isTadpoleError(error) && error.code === 'aborted');
  });
});
