import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { promptsDirectory } from '../src/prompts-directory.js';
import { askedFunction, bugAnswer, type ModelRequest, type Script, sampleBugs, says } from './support/model-server.js';
import { proposeWithModel } from './support/propose-with-model.js';

const right = (request: ModelRequest) => says(bugAnswer(request));
const changed =
  (change: Readonly<Record<string, unknown>>): Script =>
  (request) =>
    says(bugAnswer(request, change));

describe('an answer that can be used', () => {
  test('is a candidate, and its call is recorded with its cost', async () => {
    const { candidates, calls, received, spent, snapshot } = await proposeWithModel({
      script: [right],
      endpoint: { price: { promptPerMillion: 2, completionPerMillion: 10 } },
    });
    const [file, oldText, newText] = sampleBugs[askedFunction(received[0]!)]!;
    expect(candidates).toMatchObject([
      { edits: [{ file, text: newText }], lineage: { generator: 'model-bug', operator: 'model-bug', file } },
    ]);
    const text = readFileSync(join(snapshot.directory, file), 'utf8');
    expect(text.split('\n')[candidates[0]!.lineage.line - 1]).toContain(oldText);
    const promptHash = createHash('sha256')
      .update(readFileSync(join(promptsDirectory(), 'bug.md')))
      .digest('hex');
    // 300 prompt tokens at 2 and 20 written ones at 10 dollars a million.
    const usage = { promptTokens: 300, completionTokens: 20, costUsd: 0.0008 };
    expect(calls).toEqual([
      {
        ...{ kind: 'bug', model: 'scripted', outcome: 'accepted', promptFile: 'bug.md', promptHash, usage, durationMs: 0 },
        requestHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
    expect(spent).toEqual({ calls: 1, ...usage });
  });

  test('was asked for by the schema that reads it', async () => {
    const { received } = await proposeWithModel({ script: [right] });
    expect(received[0]!.url).toBe('/v1/chat/completions');
    expect(received[0]!.body.response_format).toEqual({
      type: 'json_schema',
      json_schema: {
        name: 'answer',
        strict: true,
        schema: {
          type: 'object',
          properties: { file: { type: 'string' }, oldText: { type: 'string' }, newText: { type: 'string' }, why: { type: 'string' } },
          required: ['file', 'oldText', 'newText', 'why'],
          additionalProperties: false,
        },
      },
    });
  });

  test.each<[string, (answer: string) => string]>([
    ['in prose', (answer) => `Here is {what} you asked for: ${answer} I hope that {it} helps.`],
    ['in code fences', (answer) => `\`\`\`json\n${answer}\n\`\`\``],
    ['after thoughts', (answer) => `<think>{ "file": maybe }</think>\n${answer}`],
  ])('may stand %s', async (_, around) => {
    const { outcomes } = await proposeWithModel({ script: [(request) => says(around(bugAnswer(request)))] });
    expect(outcomes).toEqual(['accepted']);
  });

  test('may come as a list of parts', async () => {
    const { outcomes } = await proposeWithModel({
      script: [(request) => ({ body: { choices: [{ message: { content: [{ type: 'text', text: bugAnswer(request) }] } }] } })],
    });
    expect(outcomes).toEqual(['accepted']);
  });

  test('whose tokens the endpoint does not count is recorded as estimated', async () => {
    const { calls } = await proposeWithModel({
      script: [(request) => ({ body: { choices: [{ message: { content: bugAnswer(request) } }] } })],
    });
    expect(calls[0]!.usage.isEstimated).toBe(true);
    expect(calls[0]!.usage.promptTokens).toBeGreaterThan(100);
  });
});

describe('an answer that cannot be used', () => {
  const faults: readonly [string, Script, string][] = [
    ['no JSON', says('The bug is in the loop.'), 'not-json'],
    ['JSON with a comment', (request) => says(bugAnswer(request).replace('{', '{ /* bug */ ')), 'not-json'],
    ['another schema', says('{"bug": "yes"}'), 'wrong-schema'],
    ['a member too many', changed({ confidence: 1 }), 'wrong-schema'],
    ['two answers', (request) => says(`${bugAnswer(request)}\n${bugAnswer(request, { newText: 'value' })}`), 'wrong-schema'],
    ['nothing', says(''), 'empty'],
    ['a cut text', says('{"file": "lib/', { finish_reason: 'length' }), 'truncated'],
    ['old text that is not there', changed({ oldText: 'return nothing' }), 'text-not-found'],
    ['old text that is there twice', changed({ oldText: 'return' }), 'text-not-unique'],
    ['old text of another function', changed({ oldText: 'module.exports = {' }), 'outside-function'],
    ['another file', changed({ file: 'lib/other.js' }), 'wrong-file'],
    ['no change', (request) => says(bugAnswer(request, { newText: sampleBugs[askedFunction(request)]![1] })), 'no-change'],
  ];

  test.each(faults)('for %s is shown to the model once', async (_, fault, reason) => {
    const { outcomes, candidates, received } = await proposeWithModel({ script: [fault, right] });
    expect(outcomes).toEqual([`repaired: ${reason}`, 'accepted']);
    expect(candidates).toHaveLength(1);
    const roles = received[1]!.body.messages.map(({ role }) => role);
    expect(roles).toEqual(['user', 'assistant', 'user']);
    expect(received[1]!.body.messages[2]!.content).toContain('cannot be used:');
  });

  test.each(faults)('for %s twice is refused, and the next question is asked', async (_, fault, reason) => {
    const { outcomes, candidates } = await proposeWithModel({ script: [fault, fault, right], proposals: 2 });
    expect(outcomes).toEqual([`repaired: ${reason}`, `refused: ${reason}`, 'accepted']);
    expect(candidates).toHaveLength(1);
  });

  test('tells the model what is wrong with its schema, and with its text', async () => {
    const wrong = await proposeWithModel({ script: [says('{"file": "lib/range.js"}'), right] });
    expect(wrong.received[1]!.body.messages[2]!.content).toContain('oldText');
    const twice = await proposeWithModel({ script: [changed({ oldText: 'return' }), right] });
    expect(twice.received[1]!.body.messages[2]!.content).toContain('occurs more than once in lib/');
  });

  test.each<[string, Script]>([
    ['by the member refusal', says('', { refusal: 'I write no bugs.' })],
    ['by a content filter', says('{', { finish_reason: 'content_filter' })],
  ])('is not asked for again where the model refuses %s', async (_, refusal) => {
    const { outcomes } = await proposeWithModel({ script: [refusal, right], proposals: 2 });
    expect(outcomes).toEqual(['refused: model-refused', 'accepted']);
  });

  test('is a proposal that was made before', async () => {
    const script = (request: ModelRequest) => says(bugAnswer(request));
    const { outcomes, candidates } = await proposeWithModel({ script, proposals: 6 });
    expect(outcomes).toEqual([...Array(5).fill('accepted'), 'refused: duplicate']);
    expect(new Set(candidates.map(({ edits }) => JSON.stringify(edits))).size).toBe(5);
  });
});
