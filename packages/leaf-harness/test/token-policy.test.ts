import { createHash } from 'node:crypto';
import type { SampledSequence, Sampler, Sampling } from '@tadpole/contracts';
import { TadpoleError } from '@tadpole/contracts';
import { describe, expect, it } from 'vitest';
import { createTokenPolicy, leafTools, runAgent, turnSeed } from '../src/index.js';
import { policyConformance, rendererConformance, unsafeDirectorySandbox } from '../src/testing/index.js';
import { byteRenderer, bytesOfTurn } from './byte-renderer.js';

const sampling: Sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 200, seed: 3 };
const messages = [{ role: 'user', content: 'Fix it.' }] as const;
type Asked = Parameters<Sampler['sample']>[0];

/** Plays turns back, one a request, cut at the cap; strict. */
function scriptedSampler(turns: readonly (readonly number[])[], contextTokens = 10_000): Sampler & { asked: Asked[] } {
  const asked: Asked[] = [];
  return {
    asked,
    weightsVersion: 'w1',
    contextTokens,
    async sample(request) {
      if (request.signal?.aborted) throw new TadpoleError({ code: 'aborted', message: 'stopped' });
      const turn = turns[asked.push(request) - 1];
      if (turn === undefined) throw new Error('The script is used up.');
      const ids = turn.slice(0, request.sampling.maxTokens);
      const sequence: SampledSequence = {
        ids,
        logprobs: ids.map((id) => -id / 1000),
        stopReason: ids.length < turn.length ? 'length' : 'stop',
      };
      return [sequence];
    },
  };
}

const counter = () => {
  let state = 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
};

describe('the byte renderer of these tests', () => {
  const sampledTurns = [bytesOfTurn('Look  here.', 'Read {"file_path": "a.txt"}', 'Bash {"command": "ls  -l"}'), bytesOfTurn('Done  ü.')];
  for (const { name, run } of rendererConformance({ renderer: byteRenderer(), vocabularySize: 261, sampledTurns, random: counter() }))
    it(name, run);

  it('fails the conformance suite when it tokenises a parsed message anew', async () => {
    const forgetful = byteRenderer();
    const renderer = { ...forgetful, parse: (...given: Parameters<typeof forgetful.parse>) => structuredClone(forgetful.parse(...given)) };
    const cases = rendererConformance({ renderer, vocabularySize: 261, sampledTurns, random: counter() });
    await expect(
      cases.find(({ name }) => name === 'extends the ids of the history after every turn that was parsed')!.run(),
    ).rejects.toThrow();
  });
});

describe('createTokenPolicy', () => {
  const createPolicy = () =>
    createTokenPolicy({ name: 'bytes', renderer: byteRenderer(), sampler: scriptedSampler([bytesOfTurn('Hello.')]) });
  for (const { name, run } of policyConformance({ createPolicy, sampling, isDeterministic: true })) it(name, run);

  it('records the ids and log-probabilities that the sampler gave', async () => {
    const sampler = scriptedSampler([bytesOfTurn('Hi  there')]);
    const renderer = byteRenderer();
    const response = await createTokenPolicy({ name: 'bytes', renderer, sampler }).respond({ messages, tools: [], sampling });
    const completionIds = bytesOfTurn('Hi  there');
    expect(response.tokens).toEqual({
      promptIds: renderer.render(messages, []),
      completionIds,
      completionLogprobs: completionIds.map((id) => -id / 1000),
      weightsVersion: 'w1',
    });
    expect(response).toMatchObject({
      stopReason: 'stop',
      message: { content: 'Hi  there' },
      usage: { completionTokens: completionIds.length },
    });
    expect(sampler.asked[0]).toMatchObject({ count: 1, stopIds: [256] });
  });

  it('samples every turn with a seed of its own, made from the rollout seed and the turn', async () => {
    const sampler = scriptedSampler([bytesOfTurn('a'), bytesOfTurn('b')]);
    const policy = createTokenPolicy({ name: 'bytes', renderer: byteRenderer(), sampler });
    const { message } = await policy.respond({ messages, tools: [], sampling });
    await policy.respond({ messages: [...messages, message], tools: [], sampling });
    expect(sampler.asked.map((request) => request.sampling.seed)).toEqual([turnSeed({ seed: 3, turn: 0 }), turnSeed({ seed: 3, turn: 1 })]);
    expect(turnSeed({ seed: 3, turn: 1 })).toBe(Number.parseInt(createHash('sha256').update('[3,1]').digest('hex').slice(0, 8), 16));
  });

  it('tells a full context from the cap of a turn', async () => {
    const promptTokens = byteRenderer().render(messages, []).length;
    const ask = (contextTokens: number, maxTokens: number) =>
      createTokenPolicy({
        name: 'bytes',
        renderer: byteRenderer(),
        sampler: scriptedSampler([bytesOfTurn('Hello, world.')], contextTokens),
      }).respond({
        messages,
        tools: [],
        sampling: { ...sampling, maxTokens },
      });
    expect(await ask(promptTokens + 5, 100)).toMatchObject({ stopReason: 'context', usage: { completionTokens: 5 } });
    expect(await ask(promptTokens + 50, 5)).toMatchObject({ stopReason: 'length', usage: { completionTokens: 5 } });
    const full = await ask(promptTokens, 5);
    expect(full).toEqual({
      message: { role: 'assistant', content: '', toolCalls: [] },
      usage: { promptTokens: 0, completionTokens: 0 },
      stopReason: 'context',
    });
  });

  it('plays a whole run into one segment, although its text encodes to other ids', async () => {
    const turns = [
      bytesOfTurn('Look.', 'Bash {"command": "echo  2 > a.txt"}'),
      bytesOfTurn('And.', 'Read {"file_path":  "a.txt"}'),
      bytesOfTurn('Done  now.'),
    ];
    const policy = createTokenPolicy({ name: 'bytes', renderer: byteRenderer(), sampler: scriptedSampler(turns) });
    const sandbox = await unsafeDirectorySandbox({ files: { 'a.txt': '1\n' } });
    const run = runAgent({ id: 'r', taskId: 't', instruction: 'Fix it.', policy, tools: leafTools(), sandbox, sampling, now: () => 0 });
    let next = await run.next();
    while (next.done !== true) next = await run.next();
    await sandbox.dispose();
    const { segments, segmentBreaks, stopReason, patch, usage } = next.value;
    expect({ stopReason, segmentBreaks, count: segments.length }).toEqual({ stopReason: 'agent', segmentBreaks: 0, count: 1 });
    expect(segments[0]!.ids.filter((_, at) => segments[0]!.mask[at])).toEqual(turns.flat());
    expect(segments[0]!.mask.filter(Boolean)).toHaveLength(usage.completionTokens);
    expect(patch).toContain('+2');
  });
});
