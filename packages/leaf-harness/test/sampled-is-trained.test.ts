import type { Message, Renderer, Sampler, TurnTokens } from '@tadpole/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createHermesRenderer,
  createQwen3Renderer,
  createQwenXmlRenderer,
  createTokenPolicy,
  recordSegments,
  type TextTokenizer,
} from '../src/index.js';
import { modelTemplate } from './model-files.js';

const SPECIAL = ['<|im_start|>', '<|im_end|>', '<|endoftext|>', '<think>', '</think>', '<tool_call>', '</tool_call>'];
const TWICE = 1000;
const PAIRS = 2000;

/**
 * A tokenizer that is deliberately not one to one: byte b is id b and also id 1000 + b, and 2000 + b is that byte twice.
 * It always encodes to plain bytes, so that what was sampled rarely encodes to itself.
 */
const toyTokenizer: TextTokenizer = {
  encode: (text) =>
    text
      .split(/(<\|\w+\|>|<\/?think>|<\/?tool_call>)/)
      .flatMap((part) => (SPECIAL.includes(part) ? [256 + SPECIAL.indexOf(part)] : [...Buffer.from(part)])),
  decode: (ids) =>
    Buffer.concat(
      ids.map((id) => {
        if (id >= PAIRS) return Buffer.from([id - PAIRS, id - PAIRS]);
        if (id >= TWICE) return Buffer.from([id - TWICE]);
        return id < 256 ? Buffer.from([id]) : Buffer.from(SPECIAL[id - 256]!);
      }),
    ).toString('utf8'),
};
const [IM_END, END_OF_TEXT] = [257, 258];

const create: Record<string, () => Promise<Renderer>> = {
  'Qwen3 with JSON calls': async () => createQwen3Renderer({ tokenizer: toyTokenizer, chatTemplate: await modelTemplate('qwen3') }),
  'Qwen3.5 with XML calls': async () => createQwenXmlRenderer({ tokenizer: toyTokenizer, chatTemplate: await modelTemplate('qwen3-5') }),
  'Qwen2.5 with JSON calls': async () => createHermesRenderer({ tokenizer: toyTokenizer, chatTemplate: await modelTemplate('qwen2-5') }),
};

/** Ids of text that a model would write, some of them in their second form, or any ids at all. */
const spelled = (text: string) =>
  fc
    .infiniteStream(fc.boolean())
    .map((isSecond) => toyTokenizer.encode(text).map((id) => (id < 256 && isSecond.next().value ? TWICE + id : id)));
const anyId = fc.oneof(
  fc.nat(255),
  fc.integer({ min: TWICE, max: TWICE + 255 }),
  fc.integer({ min: PAIRS, max: PAIRS + 255 }),
  fc.constantFrom(259, 260, 261, 262),
);
const turnIds = fc
  .tuple(
    fc.oneof(
      spelled(
        '<think>\nLook  first.\n</think>\n\nI read.\n<tool_call>\n{"name": "Read", "arguments": {"file_path": "a  b"}}\n</tool_call>',
      ),
      spelled('Thought.\n</think>\n\n<tool_call>\n<function=Read>\n<parameter=file_path>\na\n</parameter>\n</function>\n</tool_call>'),
      fc.array(anyId, { maxLength: 20 }),
    ),
    fc.constantFrom([IM_END], [END_OF_TEXT], []),
  )
  .map(([ids, end]) => [...ids, ...end]);
const observation = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom('', '<think>', '</tool_call><|im_end|>\n<|im_start|>assistant\n'),
);

/** Plays the turns through a token policy; log-probabilities are -1, -2, … in the order of drawing, so that each names its token. */
async function play(renderer: Renderer, turns: readonly (readonly number[])[], observations: readonly string[]): Promise<TurnTokens[]> {
  let drawn = 0;
  let turn = 0;
  const sampler: Sampler = {
    weightsVersion: 'w',
    contextTokens: 1e9,
    async sample() {
      const ids = turns[turn++]!;
      return [{ ids, logprobs: ids.map(() => -++drawn), stopReason: renderer.stopIds.includes(ids.at(-1) ?? -1) ? 'stop' : 'length' }];
    },
  };
  const policy = createTokenPolicy({ name: 'toy', renderer, sampler });
  const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 1000, seed: 1 };
  const history: Message[] = [
    { role: 'system', content: 'You are an agent.' },
    { role: 'user', content: 'Go.' },
  ];
  const recorded: TurnTokens[] = [];
  for (const index of turns.keys()) {
    const { message, tokens } = await policy.respond({ messages: history, tools: [], sampling });
    recorded.push(tokens!);
    const content = observations[index]!;
    history.push(message);
    if (message.toolCalls.length === 0) history.push({ role: 'user', content });
    history.push(...message.toolCalls.map(({ id }): Message => ({ role: 'tool', toolCallId: id, content })));
  }
  return recorded;
}

describe.each(Object.keys(create))('what is trained with %s', (name) => {
  it('is what was sampled: every id with its log-probability, once, in one segment', async () => {
    const renderer = await create[name]!();
    let changedByText = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(turnIds, { minLength: 1, maxLength: 5 }),
        fc.array(observation, { minLength: 5, maxLength: 5 }),
        async (turns, texts) => {
          const { segments, segmentBreaks } = recordSegments(await play(renderer, turns, texts));
          const drawn = turns.flat();
          const trained = segments.flatMap(({ ids, mask, logprobs }) => ids.flatMap((id, at) => (mask[at] ? [[id, logprobs[at]]] : [])));
          expect([segments.length, segmentBreaks]).toEqual([1, 0]);
          expect(segments[0]!.mask.filter(Boolean)).toHaveLength(drawn.length);
          expect(trained).toEqual(drawn.map((id, at) => [id, -(at + 1)]));
          expect(segments[0]!.logprobs.every((logprob, at) => segments[0]!.mask[at] || logprob === 0)).toBe(true);
          if (String(toyTokenizer.encode(toyTokenizer.decode(drawn))) !== String(drawn)) changedByText += 1;
        },
      ),
      { numRuns: 100 },
    );
    expect(changedByText).toBeGreaterThan(50);
  });

  it('breaks into segments, which are counted, when a renderer tokenises what was sampled anew', async () => {
    const exact = await create[name]!();
    const renderer: Renderer = { ...exact, parse: (...given) => structuredClone(exact.parse(...given)) };
    const twice = [...toyTokenizer.encode('a')].map((id) => id + TWICE);
    const { segments, segmentBreaks } = recordSegments(
      await play(
        renderer,
        [
          [...twice, IM_END],
          [...twice, IM_END],
        ],
        ['x', 'y'],
      ),
    );
    expect(segmentBreaks).toBe(1);
    expect(segments.flatMap(({ mask }) => mask.filter(Boolean))).toHaveLength(4);
  });
});
