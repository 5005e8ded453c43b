import assert from 'node:assert/strict';
import {
  assistantMessageSchema,
  isTadpoleError,
  type Message,
  type Policy,
  type Sampling,
  type ToolDefinition,
  turnTokensSchema,
  usageSchema,
} from '@tadpole/contracts';
import type { ConformanceCase } from './conformance-case.js';

/** What every policy must do for a harness to use it. */
export function policyConformance(options: {
  /** A policy that can answer at least one request of `messages`. Called once for each case. */
  createPolicy: () => Policy | Promise<Policy>;
  sampling: Sampling;
  /** @default a system and a user message */
  messages?: readonly Message[];
  /** @default none */
  tools?: readonly ToolDefinition[];
  /** The policy gives the same answer to the same request. @default false */
  isDeterministic?: boolean;
}): ConformanceCase[] {
  const { createPolicy, sampling, tools = [] } = options;
  const messages = options.messages ?? [
    { role: 'system', content: 'You are an agent.' },
    { role: 'user', content: 'Say hello.' },
  ];
  const request = { messages, tools, sampling };
  const cases: ConformanceCase[] = [
    {
      name: 'answers with a message and a usage of the contract',
      async run() {
        const { message, usage, stopReason } = await (await createPolicy()).respond(request);
        assistantMessageSchema.parse(message);
        usageSchema.parse(usage);
        assert.ok(['stop', 'length', 'context'].includes(stopReason), `stopReason ${stopReason}`);
      },
    },
    {
      name: 'keeps to the cap of a turn and counts the tokens that it reports',
      async run() {
        const { tokens, usage } = await (await createPolicy()).respond(request);
        assert.ok(usage.completionTokens <= sampling.maxTokens, `${usage.completionTokens} of ${sampling.maxTokens} tokens`);
        if (tokens === undefined) return;
        turnTokensSchema.parse(tokens);
        assert.equal(tokens.completionIds.length, usage.completionTokens);
        assert.equal(tokens.promptIds.length, usage.promptTokens);
        assert.equal(tokens.completionLogprobs.length, tokens.completionIds.length);
        assert.ok(
          tokens.completionLogprobs.every((logprob) => logprob <= 0),
          'a log-probability above 0',
        );
      },
    },
    {
      name: 'gives every tool call an id that no other call of the answer or the history has',
      async run() {
        const { message } = await (await createPolicy()).respond(request);
        const turns = [...messages, message].flatMap((turn) => (turn.role === 'assistant' ? [turn] : []));
        const ids = turns.flatMap(({ toolCalls }) => toolCalls.map(({ id }) => id));
        assert.equal(new Set(ids).size, ids.length, `ids ${ids.join(', ')}`);
      },
    },
    {
      name: 'does not change the history that it is given',
      async run() {
        const before = structuredClone(messages);
        await (await createPolicy()).respond(request);
        assert.deepEqual(messages, before);
      },
    },
    {
      name: 'throws TadpoleError aborted for a signal that is aborted already',
      async run() {
        const policy = await createPolicy();
        await assert.rejects(
          async () => policy.respond({ ...request, signal: AbortSignal.abort() }),
          (error) => isTadpoleError(error) && error.code === 'aborted',
        );
      },
    },
  ];
  if (options.isDeterministic !== true) return cases;
  return [
    ...cases,
    {
      name: 'gives the same answer to the same request',
      async run() {
        const first = await (await createPolicy()).respond(request);
        const second = await (await createPolicy()).respond(request);
        assert.deepEqual(second.tokens, first.tokens);
        assert.equal(second.message.content, first.message.content);
      },
    },
  ];
}
