import { createChatPolicy, createTokenRecordingChatPolicy, recordSegments } from '@tadpole/leaf-harness';
import { afterAll, describe, expect, it } from 'vitest';
import { solveTask } from './solve-task.js';
import { startServer } from './start-server.js';

describe('SmolLM2 with 135 million parameters, behind a chat-completions endpoint', () => {
  // Each test awaits it, so that without the model each of them fails.
  const starting = startServer();
  starting.catch(() => {});
  afterAll(async () => {
    const server = await starting.catch(() => undefined);
    await server?.close();
  });

  it('completes a task: it calls Edit, reads the answer, ends its work, and the hidden test passes', async () => {
    const policy = createChatPolicy({ baseUrl: (await starting).baseUrl, apiKey: 'none', model: 'SmolLM2-135M-Instruct' });
    const { trajectory, outcome, emptyOutcome } = await solveTask({ policy });
    expect(trajectory.stopReason).toBe('agent');
    expect(trajectory.turns.map(({ assistant }) => assistant.toolCalls.map(({ name }) => name))).toEqual([['Edit'], []]);
    expect(trajectory.patch).toContain('+exports.largest = (first, second) => Math.max(first, second);');
    expect(outcome).toMatchObject({ status: 'scored', reward: 1 });
    expect(emptyOutcome).toMatchObject({ status: 'scored', reward: 0 });
  });

  it('is recorded token by token where it is sampled: a text, and the log-probability of each of its tokens', async () => {
    const policy = createTokenRecordingChatPolicy({
      baseUrl: (await starting).baseUrl,
      apiKey: 'none',
      model: 'SmolLM2-135M-Instruct',
      weightsVersion: 'q4',
    });
    const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 12, seed: 1 };
    const { tokens, usage } = await policy.respond({ messages: [{ role: 'user', content: 'Name a colour.' }], tools: [], sampling });
    const { segments } = recordSegments([tokens!]);
    expect(segments[0]!.mask.filter(Boolean)).toHaveLength(usage.completionTokens);
    expect(usage.completionTokens).toBeGreaterThan(0);
    expect(tokens!.completionLogprobs.every((logprob) => Number.isFinite(logprob) && logprob <= 0)).toBe(true);
  });

  it('says that a prompt does not fit, which ends the turn for want of context', async () => {
    const policy = createChatPolicy({ baseUrl: (await starting).baseUrl, apiKey: 'none', model: 'SmolLM2-135M-Instruct' });
    const sampling = { temperature: 0, topP: 1, topK: 0, maxTokens: 12, seed: 1 };
    const messages = [{ role: 'user', content: 'word '.repeat(5000) }] as const;
    expect(await policy.respond({ messages, tools: [], sampling })).toMatchObject({ stopReason: 'context' });
  });
});
