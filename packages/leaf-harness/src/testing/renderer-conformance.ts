import assert from 'node:assert/strict';
import { type AssistantMessage, assistantMessageSchema, type Message, type Renderer, type ToolDefinition } from '@tadpole/contracts';
import type { ConformanceCase } from './conformance-case.js';

/** What every renderer must do, so that what was sampled is what is trained on. */
export function rendererConformance(options: {
  renderer: Renderer;
  /** Ids that the sampler may draw are those in [0, vocabularySize). */
  vocabularySize: number;
  /** Sampled ids [T], stop id included, of turns that a policy would write: text, one call, several calls. */
  sampledTurns: readonly (readonly number[])[];
  /** Uniform in [0, 1), for random ids. */
  random: () => number;
  /** @default none */
  tools?: readonly ToolDefinition[];
}): ConformanceCase[] {
  const { renderer, vocabularySize, sampledTurns, random, tools = [] } = options;
  const opening: readonly Message[] = [
    { role: 'system', content: 'You are an agent.' },
    { role: 'user', content: 'Fix the ünit test 🐸 in src/a.js.' },
  ];
  const randomIds = () => Array.from({ length: Math.floor(random() * 40) }, () => Math.floor(random() * vocabularySize));
  /** As a sampler ends a turn: nothing stands after a stop id. */
  const randomTurn = () => [...randomIds().filter((id) => !renderer.stopIds.includes(id)), renderer.stopIds[0]!];
  const answersTo = (message: AssistantMessage): Message[] =>
    message.toolCalls.map(({ id }) => ({ role: 'tool', toolCallId: id, content: 'Exit code: 0\nSTDOUT:\nok\nSTDERR:\n' }));

  /** Plays turns through render and parse as a policy does, and checks that no prompt re-tokenises what was sampled. */
  const assertExtends = (turns: readonly (readonly number[])[]) => {
    const history = [...opening];
    let sofar: readonly number[] = [];
    for (const ids of turns) {
      const prompt = renderer.render(history, tools);
      assert.deepEqual(prompt.slice(0, sofar.length), [...sofar], 'a later prompt does not extend the ids of the history');
      const message = renderer.parse(ids, history);
      history.push(message, ...answersTo(message));
      sofar = [...prompt, ...ids];
    }
    assert.deepEqual(renderer.render(history, tools).slice(0, sofar.length), [...sofar], 'the last turn was changed');
  };

  return [
    {
      name: 'renders ids of its vocabulary, the same for the same messages',
      async run() {
        const ids = renderer.render(opening, tools);
        assert.ok(ids.length > 0);
        assert.ok(ids.every((id) => Number.isInteger(id) && id >= 0 && id < vocabularySize));
        assert.deepEqual([...renderer.render(opening, tools)], [...ids]);
        assert.ok(renderer.stopIds.length > 0);
      },
    },
    {
      name: 'extends the ids of the history after every turn that was parsed',
      run: async () => assertExtends(sampledTurns),
    },
    {
      name: 'extends the ids also after turns that were cut off before their end',
      run: async () => assertExtends(sampledTurns.map((ids) => ids.slice(0, -1))),
    },
    {
      name: 'extends the ids also after random ids, which decode to text that encodes otherwise',
      async run() {
        for (let round = 0; round < 25; round += 1) assertExtends([randomTurn(), randomTurn()]);
      },
    },
    {
      name: 'parses any ids to a message of the contract without a throw',
      async run() {
        for (let round = 0; round < 200; round += 1) assistantMessageSchema.parse(renderer.parse(randomIds(), opening));
        assistantMessageSchema.parse(renderer.parse([], opening));
      },
    },
    {
      name: 'gives every call of a history its own id',
      async run() {
        const history = [...opening];
        for (const ids of [...sampledTurns, ...sampledTurns]) {
          const message = renderer.parse(ids, history);
          history.push(message, ...answersTo(message));
        }
        const ids = history.flatMap((message) => (message.role === 'assistant' ? message.toolCalls.map(({ id }) => id) : []));
        assert.equal(new Set(ids).size, ids.length, `ids ${ids.join(', ')}`);
      },
    },
    {
      name: 'parses the ids of a message that it renders anew to the same message',
      async run() {
        for (const ids of sampledTurns) {
          const message = renderer.parse(ids, opening);
          const foreign = structuredClone(message);
          const prompt = renderer.render(opening, tools);
          const rendered = renderer.render([...opening, foreign], tools).slice(prompt.length);
          const end = rendered.findIndex((id) => renderer.stopIds.includes(id));
          assert.notEqual(end, -1, 'a rendered turn has no stop id');
          const again = renderer.parse(rendered.slice(0, end + 1), opening);
          assert.equal(again.content, message.content);
          assert.deepEqual(
            again.toolCalls.map((call) => [call.name, JSON.parse(call.arguments)]),
            message.toolCalls.map((call) => [call.name, JSON.parse(call.arguments)]),
          );
        }
      },
    },
  ];
}
