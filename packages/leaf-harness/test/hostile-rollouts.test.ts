import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message, OwnedSandbox, Policy, PolicyResponse } from '@tadpole/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { createRolloutJournal, type FileRolloutJournal, type RollOutOptions, readAtif, recordSegments } from '../src/index.js';
import { uniqueCallIds } from '../src/policies/unique-call-ids.js';
import { answer, collect, graderOf, ledger, policyOf, start, taskOf } from './rollout-fixture.js';

const made: { folder: string; journal: FileRolloutJournal }[] = [];
afterEach(() => {
  for (const { folder, journal } of made.splice(0)) {
    journal.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Two rollouts of one task with a journal, which reads back what it holds. */
async function journaled(given: Partial<RollOutOptions>) {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-rollouts-'));
  const journal = createRolloutJournal({ file: join(folder, 'rollouts.jsonl') });
  made.push({ folder, journal });
  const { state, open } = ledger();
  const ends = await collect(start({ tasks: [taskOf('a')], attempts: 1, openSandbox: open, journal, ...given }));
  expect([...journal.records()].map(({ trajectory }) => trajectory)).toEqual(ends.map(({ trajectory }) => trajectory));
  expect(ends).toHaveLength(2);
  expect(state.alive).toBe(0);
  return ends;
}
const calling = (...calls: { id: string; arguments: string }[]): PolicyResponse => ({
  ...answer,
  message: { ...answer.message, toolCalls: calls.map((call) => ({ name: 'Missing', ...call })) },
});
/** A policy that misbehaves once in every rollout, and ends it after that. */
const first = (response: PolicyResponse) =>
  policyOf(async ({ messages }) => (messages.some(({ role }) => role === 'assistant') ? answer : response));
const tokens = { promptIds: [1], completionIds: [2], completionLogprobs: [-1], weightsVersion: 'w' };

describe('a policy ends its own rollout alone', () => {
  it.each([
    ['a log-probability of -Infinity', { ...tokens, completionLogprobs: [Number.NEGATIVE_INFINITY] }],
    ['a log-probability that is no number', { ...tokens, completionLogprobs: [Number.NaN] }],
    ['tokens without a member', {}],
    ['null for tokens', null],
    ['tokens without their prompt', { ...tokens, promptIds: undefined }],
    ['fewer log-probabilities than tokens', { ...tokens, completionLogprobs: [] }],
  ])('that gives %s', async (_what, given) => {
    const ends = await journaled({ policy: policyOf(async () => ({ ...answer, tokens: given as never })) });
    for (const { outcome } of ends) expect(outcome).toMatchObject({ status: 'unscored', reason: 'policy-failed' });
  });

  it('that throws what has no text, or gives an answer whose members throw', async () => {
    const cursed = { get message() { throw Object.create(null); } }; // biome-ignore format: one line says it
    for (const respond of [() => Promise.reject(Object.create(null)), async () => cursed as never])
      for (const { outcome } of await journaled({ policy: policyOf(respond) }))
        expect(outcome).toMatchObject({ status: 'unscored', reason: 'policy-failed', detail: expect.stringContaining('without a text') });
  });

  it('that changes the history it was given, which stays as it was', async () => {
    const policy = policyOf(async ({ messages }) => {
      (messages[1] as { role: string }).role = 'tool';
      return answer;
    });
    for (const { outcome, trajectory } of await journaled({ policy })) {
      expect(outcome).toMatchObject({ status: 'unscored', reason: 'policy-failed' });
      expect(trajectory.opening[1]).toEqual({ role: 'user', content: 'Solve a.' });
    }
  });

  it('that counts more tokens than a number holds exactly', async () => {
    const usage = { promptTokens: Number.MAX_SAFE_INTEGER, completionTokens: 1 };
    const [end] = await journaled({ attempts: 2, policy: policyOf(async () => ({ ...answer, message: null as never, usage })) });
    expect(end?.usage).toEqual({ promptTokens: Number.MAX_SAFE_INTEGER, completionTokens: 2 });
  });
});

describe('what a model writes', () => {
  it('is kept whole where its arguments are nested without end, and runs nothing', async () => {
    const text = `{"command":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const ends = await journaled({ policy: first({ ...calling({ id: 'a', arguments: text }) }) });
    for (const { trajectory } of ends) expect(trajectory.turns[0]?.assistant.toolCalls[0]?.arguments).toBe(text);
    const named = { id: 'a', name: 'Bash', arguments: text };
    const policy = first({ ...answer, message: { ...answer.message, toolCalls: [named] } });
    expect((await journaled({ policy }))[0]?.trajectory.turns[0]?.observations[0]?.content).toBe(
      'InvalidArgumentsError: Bash: expected the arguments as one JSON object, received one nested deeper than 100 levels. The tool was not run.',
    );
  });

  it('keeps ids apart that become one text when secrets are taken out', async () => {
    const id = `hf_${'a'.repeat(34)}`;
    const policy = first(calling({ id: `${id}1`, arguments: '{}' }, { id: `${id}2`, arguments: '{}' }));
    for (const { trajectory } of await journaled({ policy, purpose: 'evaluation' })) {
      const ids = ['[redacted:hugging-face-token]', '[redacted:hugging-face-token]_2'];
      expect(trajectory.turns[0]?.assistant.toolCalls.map((call) => call.id)).toEqual(ids);
      expect(trajectory.turns[0]?.observations.map(({ toolCallId }) => toolCallId)).toEqual(ids);
    }
  });

  it('has its ids made unique in one pass, however often one repeats', () => {
    const calls = Array.from({ length: 200_000 }, () => ({ id: 'x', name: 'a', arguments: '{}' }));
    const ids = uniqueCallIds({ calls, messages: [] }).map(({ id }) => id);
    expect(new Set(ids).size).toBe(200_000);
    expect([ids[0], ids[1], ids[199_999]]).toEqual(['x', 'x_2', 'x_200000']);
  });
});

describe('a policy that uses its objects again', () => {
  it('has every turn recorded as it was, and gets its own objects back', async () => {
    const message = { role: 'assistant' as const, content: '', toolCalls: [] as { id: string; name: string; arguments: string }[] };
    const [ids, logprobs]: [number[], number[]] = [[0], [0]];
    const seen: Message[][] = [];
    const respond: Policy['respond'] = async ({ messages }) => {
      const turn = messages.filter(({ role }) => role === 'assistant').length;
      seen.push([...messages]);
      Object.assign(message, {
        content: `turn ${turn}`,
        toolCalls: turn < 2 ? [{ id: `c${turn}`, name: 'Missing', arguments: '{}' }] : [],
      });
      [ids[0], logprobs[0]] = [turn, -1 - turn];
      const promptIds = turn === 0 ? [9] : turn === 1 ? [9, 0] : [9, 0, 1];
      return { ...answer, message, tokens: { promptIds, completionIds: ids, completionLogprobs: logprobs, weightsVersion: 'w' } };
    };
    const [end] = await journaled({ policy: policyOf(respond), concurrency: 1 });
    expect(end?.trajectory.turns.map(({ assistant }) => [assistant.content, assistant.toolCalls.length])).toEqual([
      ['turn 0', 1],
      ['turn 1', 1],
      ['turn 2', 0],
    ]);
    const turn = (completion: number, ...promptIds: number[]) => ({
      promptIds,
      completionIds: [completion],
      completionLogprobs: [-1 - completion],
      weightsVersion: 'w',
    });
    expect(end?.trajectory.segments).toEqual(recordSegments([turn(0, 9), turn(1, 9, 0), turn(2, 9, 0, 1)]).segments);
    expect(seen[1]?.[2]).toBe(message);
  });
});

describe('a grader ends its own rollout alone', () => {
  const scored = { status: 'scored', reward: 1, components: {}, tests: [] };
  it.each([
    ['a reward that is no number', { ...scored, reward: Number.NaN }],
    ['a reward of 7', { ...scored, reward: 7 }],
    ['an empty object', {}],
    ['nothing', undefined],
  ])('that gives %s', async (_what, outcome) => {
    for (const end of await journaled({ grader: graderOf(async () => outcome as never) }))
      expect(end.outcome).toMatchObject({
        status: 'unscored',
        reason: 'grader-failed',
        detail: expect.stringContaining('expected an outcome'),
      });
  });
});

describe('a sandbox ends its own rollout alone', () => {
  it.each<[string, (sandbox: OwnedSandbox) => unknown]>([
    ['is nothing', () => undefined],
    ['throws an error of its own at its diff', (sandbox) => ({ ...sandbox, diff: () => Promise.reject(new Error('boom')) })],
    ['has no text for a diff', (sandbox) => ({ ...sandbox, diff: async () => undefined })],
  ])('that %s', async (_what, change) => {
    const opened = ledger();
    const openSandbox = async () => change(await opened.open()) as OwnedSandbox;
    for (const { outcome } of await journaled({ openSandbox }))
      expect(outcome).toMatchObject({ status: 'unscored', reason: 'sandbox-failed' });
  });
});

describe('a rollout of nonsense is refused before anything runs', () => {
  it.each<[string, Partial<RollOutOptions>]>([
    ['a half sample', { samplesPerTask: () => [0, 0.5] }],
    ['a negative sample', { samplesPerTask: ({ data }) => (data.id === 'b' ? [-1] : [0]) }],
    ['a sample twice', { samplesPerTask: () => [0, 0] }],
    ['a billion samples', { samplesPerTask: 1e9 }],
    ['a task twice', { tasks: [taskOf('a'), taskOf('a')] }],
    ['a seed below 0', { seedFor: () => -1 }],
    ['a purpose of its own', { purpose: 'evaluate' as never }],
    ['a clock without a time', { now: () => Number.NaN }],
  ])('for %s', async (_what, given) => {
    const { state, open } = ledger();
    await expect(collect(start({ ...given, openSandbox: open }))).rejects.toMatchObject({ code: 'invalid-input' });
    expect(state.opened).toBe(0);
  });
});

describe('a document of agents that start agents without end', () => {
  it('is refused, whether it is deep or cyclic', () => {
    const document = {
      schema_version: 'ATIF-v1.7',
      agent: { name: 'a', version: '1' },
      steps: [{ step_id: 1, source: 'user', message: '' }],
    };
    const cyclic: Record<string, unknown> = { ...document };
    cyclic.subagent_trajectories = [cyclic];
    let deep: object = document;
    for (let depth = 0; depth < 20_000; depth += 1) deep = { ...document, subagent_trajectories: [deep] };
    for (const broken of [cyclic, deep]) expect(() => readAtif(broken)).toThrow(expect.objectContaining({ code: 'invalid-input' }));
  });
});
