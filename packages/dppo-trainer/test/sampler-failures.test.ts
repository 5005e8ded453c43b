import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import {
  createSglangSampler,
  createVllmSampler,
  type EngineSampler,
  type EngineSamplerOptions,
  type LogprobsOptions,
} from '../src/index.js';
import { type Reply, scriptedEngine } from './scripted-engine.js';

const KEY = 'sk-very-secret-key';
const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 3, seed: 5 };
const call = { prompt: [1, 2], count: 1, sampling, stopIds: [9] };

type Choice = { ids: unknown; logprobs: unknown; finish: string | null };
type Settings = Partial<EngineSamplerOptions & LogprobsOptions>;

/** The two engines and the three routes behind one face: how a sampler is made, and how an answer is written. */
const routes: Record<string, { create(options: EngineSamplerOptions & LogprobsOptions): EngineSampler; answer(choice: Choice): unknown }> =
  {
    generate: {
      create: (options) => createVllmSampler({ ...options, model: 'm', weightsVersion: 'w1', route: 'generate' }),
      answer: ({ ids, logprobs, finish }) => ({
        choices: [
          {
            index: 0,
            token_ids: ids,
            logprobs: { content: (logprobs as unknown[])?.map((logprob) => ({ token: 'x', logprob })) },
            finish_reason: finish,
          },
        ],
      }),
    },
    completions: {
      create: (options) => createVllmSampler({ ...options, model: 'm', weightsVersion: 'w1', route: 'completions' }),
      answer: ({ ids, logprobs, finish }) => ({
        choices: [{ index: 0, text: '', token_ids: ids, logprobs: { token_logprobs: logprobs }, finish_reason: finish }],
      }),
    },
    sglang: {
      create: (options) => createSglangSampler({ ...options, weightsVersion: 'w1' }),
      answer: ({ ids, logprobs, finish }) => ({
        output_ids: ids,
        meta_info: {
          weight_version: 'w1',
          finish_reason: finish === null ? null : { type: finish },
          output_token_logprobs: (logprobs as unknown[])?.map((logprob, at) => [logprob, (ids as unknown[])?.[at] ?? 0, null]),
        },
      }),
    },
  };
const names = Object.keys(routes);

let open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  const servers = open;
  open = [];
  for (const server of servers) await server.close();
});

/** A sampler of a scripted server whose waits are recorded and over at once. */
async function scripted(name: string, replies: readonly Reply[], settings: Settings = {}) {
  const server = await scriptedEngine(replies);
  open.push(server);
  const waits: number[] = [];
  const clock = {
    async sleep({ ms }: { ms: number }) {
      waits.push(ms);
    },
  };
  const route = routes[name];
  if (route === undefined) throw new Error(`Expected a route, got ${name}.`);
  const sampler = route.create({ url: server.url, apiKey: KEY, contextTokens: 16, maxRetries: 2, random: () => 0, clock, ...settings });
  return { sampler, server, waits, answer: (choice: Choice): Reply => ({ body: route.answer(choice) }) };
}

const good: Choice = { ids: [4, 9], logprobs: [-0.5, -1], finish: 'stop' };
const written = (name: string, choice: Choice): Reply => ({ body: routes[name]?.answer(choice) });

describe.each(names)('a sampler on the route %s', (name) => {
  test.each<[string, Reply]>([
    ['429', { status: 429, body: { error: { message: 'slow down' } } }],
    ['500', { status: 500, text: 'Internal Server Error' }],
    ['a refused connection', { fault: 'refuse' }],
    ['half an answer', { fault: 'half', text: JSON.stringify({ choices: [], padding: 'x'.repeat(500) }) }],
    ['an answer that is no JSON', { text: '<html>' }],
    ['an error with status 200', { body: { error: { message: 'engine died' } } }],
    ['a sequence that was aborted', written(name, { ...good, finish: 'abort' })],
    ['a sequence without a finish', written(name, { ...good, finish: null })],
    ['a log-probability too few', written(name, { ...good, logprobs: [-0.5] })],
  ])('asks again after %s', async (_fault, fault) => {
    const { sampler, waits } = await scripted(name, [fault, fault, written(name, good)]);
    expect(await sampler.sample(call)).toEqual([{ ids: [4, 9], logprobs: [-0.5, -1], stopReason: 'stop' }]);
    expect(waits).toEqual([500, 1000]);
  });

  test('waits as long as the server asks, up to its own longest wait', async () => {
    const busy = (seconds: string): Reply => ({ status: 503, text: '', headers: { 'retry-after': seconds } });
    const { sampler, waits } = await scripted(name, [busy('3'), busy('9999'), written(name, good)], { longestWaitMs: 7000 });
    await sampler.sample(call);
    expect(waits).toEqual([3000, 7000]);
  });

  test('gives up after its retries, says how often it tried, and names no key', async () => {
    const echo: Reply = { status: 500, text: `bad authorization: Bearer ${KEY}` };
    const { sampler } = await scripted(name, [echo, echo, echo]);
    const error = await sampler.sample(call).catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({ code: 'engine', message: expect.stringMatching(/received 500.*\[key\].*3 tries/) });
    expect(JSON.stringify(error) + String(error) + String((error as Error).stack)).not.toContain(KEY);
  });

  test.each([400, 401, 404, 422])('does not ask again after %i', async (status) => {
    const { sampler, waits } = await scripted(name, [{ status, body: { error: { message: 'no' } } }]);
    await expect(sampler.sample(call)).rejects.toMatchObject({ code: 'engine', message: expect.stringContaining(`received ${status}`) });
    expect(waits).toEqual([]);
  });

  test.each<[string, Choice, RegExp]>([
    ['more log-probabilities than ids', { ...good, logprobs: [-1, -1, -1] }, /log-probabilit/],
    ['a log-probability above 0', { ...good, logprobs: [-1, 0.5] }, /0 or less/],
    ['a missing log-probability', { ...good, logprobs: [-1, null] }, /0 or less|expected/],
    ['the number that stands for a missing log-probability', { ...good, logprobs: [-1, -9999] }, /0 or less/],
    ['no ids', { ids: [], logprobs: [], finish: 'length' }, /received none/],
    ['more ids than asked for', { ids: [1, 2, 3, 4], logprobs: [-1, -1, -1, -1], finish: 'length' }, /3 ids at most/],
    ['fewer ids without a stop id', { ids: [1], logprobs: [-1], finish: 'length' }, /contextTokens/],
    ['an id outside the vocabulary', { ids: [10, 9], logprobs: [-1, -1], finish: 'stop' }, /ids from 0 to 9/],
    ['a negative id', { ids: [-1, 9], logprobs: [-1, -1], finish: 'stop' }, /ids from 0 to 9/],
    ['an id that is no integer', { ids: [1.5, 9], logprobs: [-1, -1], finish: 'stop' }, /ids from 0 to 9/],
    ['ids after a stop id', { ids: [9, 1], logprobs: [-1, -1], finish: 'stop' }, /to end at the stop id 9/],
    ['an end that was not asked for', { ids: [1, 2], logprobs: [-1, -1], finish: 'stop' }, /add the model's own end to stopIds/],
  ])('refuses %s', async (_what, choice, message) => {
    const { sampler } = await scripted(name, [written(name, choice)], { maxRetries: 0, vocabularySize: 10 });
    await expect(sampler.sample(call)).rejects.toMatchObject({ code: 'engine', message: expect.stringMatching(message) });
  });

  test('takes a rounding above 0 for 0, and a stop id in the last place for a stop', async () => {
    const { sampler } = await scripted(name, [written(name, { ids: [1, 2, 9], logprobs: [1e-6, -1, -1], finish: 'length' })]);
    expect(await sampler.sample(call)).toEqual([{ ids: [1, 2, 9], logprobs: [0, -1, -1], stopReason: 'stop' }]);
  });

  test('refuses an answer that is too long', async () => {
    const { sampler } = await scripted(name, [{ text: ' '.repeat(2000) }], { maxRetries: 0, maxAnswerBytes: 1000 });
    await expect(sampler.sample(call)).rejects.toMatchObject({ code: 'engine', message: expect.stringContaining('maxAnswerBytes') });
  });

  test('gives up a try that hangs', async () => {
    const { sampler } = await scripted(name, [{ fault: 'hang' }], { maxRetries: 0, timeoutMs: 30 });
    await expect(sampler.sample(call)).rejects.toMatchObject({ code: 'engine', message: expect.stringContaining('within 30 ms') });
  });

  test('ends with code aborted when the signal comes while the server hangs', async () => {
    const { sampler, server } = await scripted(name, [{ fault: 'hang' }]);
    const stop = new AbortController();
    const sampling = sampler.sample({ ...call, signal: stop.signal });
    while (server.received.length === 0) await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    await expect(sampling).rejects.toMatchObject({ code: 'aborted' });
  });

  test('one failure ends the other requests of the call', async () => {
    const { sampler } = await scripted(name, [{ fault: 'hang' }, { status: 400, text: 'no' }], { concurrency: 2 });
    await expect(sampler.sample({ ...call, count: 5 })).rejects.toMatchObject({ code: 'engine', message: expect.stringContaining('400') });
  });

  test('sends the key, a seed of its own for every sequence, and maxTokens cut to the context', async () => {
    const long = { ...call, prompt: Array.from({ length: 14 }, () => 1), count: 3 };
    const short = written(name, { ids: [4, 9], logprobs: [-0.5, -1], finish: 'stop' });
    const { sampler, server } = await scripted(name, [short, short, short], { concurrency: 1 });
    await sampler.sample(long);
    const params = server.received.map(({ body }) => (body.sampling_params ?? body) as Record<string, unknown>);
    expect(new Set(params.map(({ seed, sampling_seed }) => seed ?? sampling_seed)).size).toBe(3);
    expect(params.map(({ max_tokens, max_new_tokens }) => max_tokens ?? max_new_tokens)).toEqual([2, 2, 2]);
    expect(server.received.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true);
  });

  test.each([{ temperature: 0.7 }, { temperature: 0 }, { topP: 0.9 }, { topK: 20 }])(
    'refuses %o before it sends anything, unless the server is raw or the caller accepts it',
    async (change) => {
      const refused = await scripted(name, []);
      const changed = { ...call, sampling: { ...sampling, ...change } };
      await expect(refused.sampler.sample(changed)).rejects.toMatchObject({ code: 'unsupported' });
      const accepted = await scripted(name, [written(name, good)], { acceptUntrainedLogprobs: true });
      await accepted.sampler.sample(changed);
      const raw = await scripted(name, [written(name, good)], { logprobsMode: 'raw' });
      await raw.sampler.sample(changed);
      expect([refused.sampler.logprobsMode, raw.sampler.logprobsMode]).toEqual(['processed', 'raw']);
    },
  );

  test.each([
    ['a prompt that fills the context', { prompt: Array.from({ length: 16 }, () => 1) }],
    ['an empty prompt', { prompt: [] }],
    ['a prompt that is no ids', { prompt: [1, Number.NaN] }],
    ['a count of 0', { count: 0 }],
  ])('refuses %s before it sends anything', async (_what, change) => {
    const { sampler } = await scripted(name, []);
    await expect(sampler.sample({ ...call, ...change })).rejects.toMatchObject({ code: 'invalid-input' });
  });
});

test('takes a sequence exactly when its lengths agree, whatever they are', async () => {
  const logprob = fc.double({ min: -50, max: 0, noNaN: true });
  const lengths = fc.record({
    ids: fc.array(fc.integer({ min: 0, max: 8 }), { maxLength: 6 }),
    logprobs: fc.array(logprob, { maxLength: 6 }),
    stopped: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('generate', 'completions'), lengths, async (name, { ids, logprobs, stopped }) => {
      const all = stopped ? [...ids, 9] : ids;
      const choice = { ids: all, logprobs, finish: stopped ? 'stop' : 'length' };
      const { sampler } = await scripted(name, [written(name, choice)], { maxRetries: 0 });
      const isRight = all.length === logprobs.length && all.length > 0 && (stopped ? all.length <= 5 : all.length === 5);
      const sampled = sampler.sample({ ...call, sampling: { ...sampling, maxTokens: 5 } });
      if (isRight) expect(await sampled).toEqual([{ ids: all, logprobs, stopReason: stopped ? 'stop' : 'length' }]);
      else await expect(sampled).rejects.toMatchObject({ code: 'engine' });
    }),
    { numRuns: 150, seed: 7 },
  );
});

test('refuses an answer about another prompt, log-probabilities of other ids, and output ids of other log-probabilities', async () => {
  const other = routes.completions?.answer(good) as { choices: object[] };
  const truncated = { choices: [{ ...other.choices[0], prompt_token_ids: [2] }] };
  const misnamed = { choices: [{ token_ids: [9], logprobs: { content: [{ token: 'token_id:8', logprob: -1 }] }, finish_reason: 'stop' }] };
  const mixed = {
    output_ids: [9],
    meta_info: { weight_version: 'w1', finish_reason: { type: 'stop' }, output_token_logprobs: [[-1, 8, null]] },
  };
  for (const [name, body, message] of [
    ['completions', truncated, /prompt of 2 ids to be read as it was sent/],
    ['generate', misnamed, /of id 9, received that of token_id:8/],
    ['sglang', mixed, /log-probabilities of the 1 output_ids/],
  ] as const) {
    const { sampler } = await scripted(name, [{ body }], { maxRetries: 0 });
    await expect(sampler.sample(call)).rejects.toMatchObject({ code: 'engine', message: expect.stringMatching(message) });
  }
});

test('an unknown model is not taken for a missing route', async () => {
  const server = await scriptedEngine([{ status: 404, body: { error: { message: 'The model `m` does not exist.', code: 404 } } }]);
  open.push(server);
  const sampler = createVllmSampler({ url: server.url, model: 'm', weightsVersion: 'w1', contextTokens: 16, maxRetries: 0 });
  await expect(sampler.sample(call)).rejects.toMatchObject({ code: 'engine', message: expect.stringContaining('does not exist') });
});

test.each(['not a url', 'ftp://h', ''])('refuses the address %j', (url) => {
  expect(() => createVllmSampler({ url, model: 'm', weightsVersion: 'w1', contextTokens: 16 })).toThrow(/expected url as http/);
});

test.each([{ contextTokens: 1 }, { contextTokens: Number.NaN }, { concurrency: 0 }, { concurrency: 1.5 }])(
  'refuses the option %o',
  (change) => {
    const options = { url: 'http://h', contextTokens: 16, ...change };
    expect(() => createVllmSampler({ ...options, model: 'm', weightsVersion: 'w1' })).toThrow(
      expect.objectContaining({ code: 'invalid-config' }),
    );
    expect(() => createSglangSampler({ ...options, weightsVersion: 'w1' })).toThrow(expect.objectContaining({ code: 'invalid-config' }));
  },
);
