import { createSessionRequestSchema, forwardBackwardRequestSchema, sampleRequestSchema } from '@tadpole/contracts/tinker';
import { describe, expect, it } from 'vitest';
import { requireSmallJson } from '../../src/server/body-structure.js';
import { MalformedBody, parseBody } from '../../src/server/parse-body.js';
import { parseJson } from '../../src/server/read-request.js';
import { decodeForwardBackward } from '../../src/server/wire-codec.js';

const refused = (status: number) => expect.objectContaining({ status });
function errorOf(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

describe('a body that would fill the memory of the server', () => {
  it('is refused before it is parsed: many objects, many keys, many values', () => {
    const many = (part: string, count: number) => Buffer.from(`[${part}${`,${part}`.repeat(count)}]`);
    expect(errorOf(() => parseJson(many('{}', 2 ** 18)))).toEqual(refused(413));
    expect(errorOf(() => parseJson(many('"a":1', 2 ** 18)))).toEqual(refused(413));
    expect(errorOf(() => parseJson(many('1', 2 ** 23 + 1)))).toEqual(refused(413));
    expect(parseJson(many('{}', 1_000))).toHaveLength(1_001);
    expect(parseJson(many('1', 2 ** 20))).toHaveLength(2 ** 20 + 1);
  });

  it('is read no further than the refusal takes', () => {
    for (const mark of ['[', ':', ',']) {
      const endless = (function* () {
        for (;;) yield mark.charCodeAt(0);
      })();
      expect(errorOf(() => requireSmallJson(endless))).toEqual(refused(413));
    }
  });

  it('is refused in protobuf too: a million empty data', () => {
    const data = (count: number) => Buffer.from('1a00'.repeat(count), 'hex');
    expect(errorOf(() => decodeForwardBackward(data(2 ** 20 + 1)))).toEqual(refused(413));
    expect(decodeForwardBackward(data(3))).toMatchObject({ request: { forward_backward_input: { data: [{}, {}, {}] } } });
    expect(errorOf(() => decodeForwardBackward(Buffer.from('1aff01', 'hex')))).toEqual(refused(422));
    expect(errorOf(() => decodeForwardBackward(Buffer.alloc(100_000, 0x0b)))).toEqual(refused(422));
  });

  it('gets one issue a list, however much of it is wrong', () => {
    const wrong = new Array<unknown>(10_000).fill('x');
    const sampling = { sampling_params: { max_tokens: 1 } };
    const bodies = [
      [createSessionRequestSchema, { tags: new Array(10_000).fill(1) }, 'tags'],
      [sampleRequestSchema, { ...sampling, prompt: { chunks: [{ tokens: [1, ...wrong] }] } }, 'tokens'],
      [sampleRequestSchema, { ...sampling, prompt: { chunks: wrong } }, 'chunks'],
      [forwardBackwardRequestSchema, { model_id: 'm', forward_backward_input: { loss_fn: 'ppo', data: wrong } }, 'data'],
    ] as const;
    const names = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`n${index}`, 'x']));
    const input = { loss_fn: 'ppo', data: [{ model_input: { chunks: [] }, loss_fn_inputs: names }] };
    const many = [
      [sampleRequestSchema, { ...sampling, prompt: { chunks: new Array(200_000).fill({}) } }, 'chunks'],
      [forwardBackwardRequestSchema, { model_id: 'm', forward_backward_input: input }, 'loss_fn_inputs'],
      [
        forwardBackwardRequestSchema,
        { model_id: 'm', forward_backward_input: { loss_fn: 'ppo', data: [], loss_fn_config: names } },
        'loss_fn_config',
      ],
    ] as const;
    for (const [schema, body, field] of many) {
      const error = errorOf(() => parseBody(schema, body)) as MalformedBody;
      expect(error.detail).toMatchObject([{ loc: expect.arrayContaining([field]), msg: expect.stringMatching(/at most 16384/) }]);
    }
    for (const [schema, body, field] of bodies) {
      const error = errorOf(() => parseBody(schema, body)) as MalformedBody;
      expect(error).toBeInstanceOf(MalformedBody);
      expect(error.detail.map(({ loc }) => loc.at(-1))).toEqual([field]);
      expect(error.message).toMatch(/got another value at position [01]$/);
    }
  });
});
