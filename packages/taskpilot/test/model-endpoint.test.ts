import { isTadpoleError } from '@tadpole/contracts';
import { describe, expect, test } from 'vitest';
import { createModelGenerator, type ModelCall, seededRandom } from '../src/index.js';
import { bugAnswer, type ModelRequest, modelServer, type Script, says } from './support/model-server.js';
import { proposeWithModel } from './support/propose-with-model.js';
import { sampleSnapshot } from './support/sample-project.js';

const right = (request: ModelRequest) => says(bugAnswer(request));
const error = (status: number, message = 'no', headers = {}): Script => ({ status, headers, body: { error: { message, code: status } } });
const frame = (code: unknown): Script => ({ body: { error: { message: 'no', code } } });

describe('a failure of the endpoint', () => {
  test.each<[string, Script, string, number]>([
    ['429 with Retry-After', error(429, 'slow down', { 'retry-after': '7' }), 'rate-limit', 7000],
    ['429 without it', error(429), 'rate-limit', 500],
    ['500', error(500), 'server-error', 500],
    ['503 with a date', error(503, 'busy', { 'retry-after': 'Thu, 01 Jan 1970 00:00:09 GMT' }), 'server-error', 9000],
    ['an error frame in 200', frame(500), 'error-frame', 500],
    ['an error frame without a code', { body: { object: 'error', message: 'no' } }, 'error-frame', 500],
    ['a choice that broke off', says('{', { finish_reason: 'abort' }), 'lost-answer', 500],
    ['a body that is no completion', { body: { choices: [] } }, 'lost-answer', 500],
    ['a body that is no JSON', { text: '<html>' }, 'lost-answer', 500],
    ['a connection closed in half a body', (request) => ({ ...right(request), fault: 'drop' }), 'lost-answer', 500],
  ])('is asked again after %s', async (_, failure, reason, waitMs) => {
    const { outcomes, candidates, sleptMs } = await proposeWithModel({ script: [failure, right] });
    expect(outcomes).toEqual([`repaired: ${reason}`, 'accepted']);
    expect(candidates).toHaveLength(1);
    expect(sleptMs).toEqual([waitMs]);
  });

  test.each<[string, Script]>([
    ['no answer', { fault: 'hang' }],
    ['half a body and no more', (request) => ({ ...right(request), fault: 'half' })],
  ])('is asked again when the time is over with %s', async (_, failure) => {
    const { outcomes, calls } = await proposeWithModel({ script: [failure, right], endpoint: { timeoutMs: 300 } });
    expect(outcomes).toEqual(['repaired: timeout', 'accepted']);
    // The prompt may have been paid for.
    expect(calls[0]!.usage).toMatchObject({ isEstimated: true, completionTokens: 0 });
    expect(calls[0]!.usage.promptTokens).toBeGreaterThan(100);
  });

  test('is asked again with growing waits, as often as allowed, and then the next question comes', async () => {
    const { outcomes, sleptMs, spent, calls } = await proposeWithModel({
      script: [error(500), error(500), error(500), right],
      endpoint: { maxRetries: 2 },
      proposals: 2,
    });
    expect(outcomes).toEqual(['repaired: server-error', 'repaired: server-error', 'refused: server-error', 'accepted']);
    expect(sleptMs).toEqual([500, 1000]);
    expect(calls[0]!.usage).toEqual({ promptTokens: 0, completionTokens: 0 });
    expect(spent).toEqual({ calls: 4, promptTokens: 300, completionTokens: 20 });
  });

  test('that asks for a longer wait than allowed is given up for this question', async () => {
    const { outcomes, sleptMs } = await proposeWithModel({
      script: [error(429, 'later', { 'retry-after': '61' }), right],
      proposals: 2,
    });
    expect(outcomes).toEqual(['refused: rate-limit', 'accepted']);
    expect(sleptMs).toEqual([]);
  });

  test('that is not over after some questions in a row ends the proposals with code policy', async () => {
    const { outcomes, code, candidates } = await proposeWithModel({
      script: [right, ...Array(6).fill(error(500))],
      endpoint: { maxRetries: 1 },
      maxFailures: 3,
      proposals: 10,
    });
    expect(code).toBe('policy');
    expect(candidates).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'refused: server-error')).toHaveLength(3);
  });

  test('that is a closed port ends the proposals with code policy', async () => {
    const server = await modelServer([]);
    await server.close();
    const { outcomes, code } = await proposeWithModel({
      script: [],
      endpoint: { baseURL: server.baseURL, maxRetries: 1 },
      maxFailures: 2,
      proposals: 10,
    });
    expect([code, outcomes]).toEqual(['policy', Array(2).fill(['repaired: lost-answer', 'refused: lost-answer']).flat()]);
  });

  test.each([401, 403, 404])('of status %i ends the proposals at once with code policy', async (status) => {
    const { outcomes, code } = await proposeWithModel({ script: [error(status)], proposals: 10 });
    expect([code, outcomes]).toEqual(['policy', ['refused: rejected']]);
  });

  test('of a used-up quota is not waited for', async () => {
    const { code, sleptMs } = await proposeWithModel({ script: [error(429, 'insufficient_quota')], proposals: 10 });
    expect([code, sleptMs]).toEqual(['policy', []]);
  });

  test('that says that the prompt is too long refuses the question alone', async () => {
    const { outcomes } = await proposeWithModel({
      script: [error(400, 'The maximum context length is 4096 tokens.'), right],
      maxFailures: 1,
      proposals: 2,
    });
    expect(outcomes).toEqual(['refused: prompt-too-long', 'accepted']);
  });
});

describe('an endpoint without structured output', () => {
  test('is asked without it, and never with it again', async () => {
    const { outcomes, received } = await proposeWithModel({
      script: [error(400, 'response_format is not supported'), right, right],
      proposals: 2,
    });
    expect(outcomes).toEqual(['repaired: schema-unsupported', 'accepted', 'accepted']);
    expect(received.map(({ body }) => body.response_format !== undefined)).toEqual([true, false, false]);
  });

  test('is not what rejects the request with and without it', async () => {
    const { outcomes, received } = await proposeWithModel({ script: [error(400), error(400), right], proposals: 2 });
    expect(outcomes).toEqual(['repaired: schema-unsupported', 'refused: rejected', 'accepted']);
    expect(received[2]!.body.response_format).toBeDefined();
  });
});

describe('a budget', () => {
  test.each<[string, object]>([
    ['calls', { calls: 3 }],
    ['tokens', { tokens: 960 }],
    ['dollars', { costUsd: 0.0024 }],
  ])('of %s ends the proposals in order, in the middle of a question too', async (_, budget) => {
    const { outcomes, code, spent } = await proposeWithModel({
      // 320 tokens and 0.0008 dollars each.
      script: [right, right, says('no')],
      endpoint: { price: { promptPerMillion: 2, completionPerMillion: 10 } },
      budget,
      proposals: 10,
    });
    expect(code).toBeUndefined();
    expect(outcomes).toEqual(['accepted', 'accepted', 'refused: not-json']);
    expect(spent).toMatchObject({ calls: 3, promptTokens: 900, completionTokens: 60 });
    expect(spent.costUsd).toBeCloseTo(0.0024, 10);
  });

  test('holds for all proposals of a generator together', async () => {
    const server = await modelServer([right, right, right]);
    const endpoint = { baseURL: server.baseURL, model: 'scripted' };
    const generator = createModelGenerator({ endpoint, kind: 'bug', budget: { calls: 3 }, proposals: 2 });
    let candidates = 0;
    for (let run = 0; run < 3; run++)
      for await (const _ of generator.propose({ snapshot: sampleSnapshot(), random: seededRandom(run) })) candidates++;
    expect([candidates, generator.spent().calls]).toEqual([3, 3]);
  });
});

describe('a signal', () => {
  test('ends a request that hangs, which is recorded', async () => {
    const controller = new AbortController();
    const { outcomes, code } = await proposeWithModel({
      script: [
        () => {
          setImmediate(() => controller.abort());
          return { fault: 'hang' };
        },
      ],
      signal: controller.signal,
    });
    expect([code, outcomes]).toEqual(['aborted', ['refused: aborted']]);
  });

  test('ends the wait before another try', async () => {
    const controller = new AbortController();
    const clock = {
      now: () => 0,
      sleep: ({ signal }: { ms: number; signal?: AbortSignal }) => {
        controller.abort();
        return Promise.reject(signal?.reason);
      },
    };
    const { code } = await proposeWithModel({ script: [error(500)], signal: controller.signal, clock });
    expect(code).toBe('aborted');
  });
});

describe('the key', () => {
  const apiKey = 'canary-"key"-0123456789';

  test('is sent and stands in no record and no error, though the endpoint repeats it', async () => {
    const calls: ModelCall[] = [];
    const { code, message, received } = await proposeWithModel({
      script: [error(500, `bad ${apiKey}`), says(`no ${apiKey}`), says(`no ${apiKey}`), error(401, `Wrong key: ${apiKey}`)],
      endpoint: { apiKey },
      onCall: (call) => calls.push(call),
      proposals: 5,
    });
    expect(received[0]!.authorization).toBe(`Bearer ${apiKey}`);
    expect(code).toBe('policy');
    expect(message).toContain('Wrong key: [api key]');
    expect(calls).toHaveLength(4);
    expect(JSON.stringify([calls, message])).not.toMatch(/canary|0123456789/);
  });

  test('is not repeated where it cannot be used', () => {
    const endpoint = { baseURL: 'http://localhost:1/v1', model: 'scripted', apiKey: 'canary\nkey' };
    expect(() => createModelGenerator({ endpoint, kind: 'bug' })).toThrow(/apiKey/);
    expect(() => createModelGenerator({ endpoint, kind: 'bug' })).not.toThrow(/canary/);
  });
});

describe('options that cannot work', () => {
  const endpoint = { baseURL: 'http://localhost:1/v1', model: 'scripted' };
  test.each<[string, Record<string, unknown>]>([
    ['an address that is none', { endpoint: { ...endpoint, baseURL: 'localhost' } }],
    ['an unknown member', { endpoint: { ...endpoint, retries: 3 } }],
    ['a stream', { endpoint: { ...endpoint, extraBody: { stream: true } } }],
    ['dollars without a price', { budget: { costUsd: 1 } }],
    ['an unknown kind', { kind: 'statement' }],
    ['no proposal', { proposals: 0 }],
  ])('are refused with code invalid-config: %s', (_, change) => {
    let code: string | undefined;
    try {
      createModelGenerator({ endpoint, kind: 'bug', ...change } as Parameters<typeof createModelGenerator>[0]);
    } catch (thrown) {
      code = isTadpoleError(thrown) ? thrown.code : 'another error';
    }
    expect(code).toBe('invalid-config');
  });
});
