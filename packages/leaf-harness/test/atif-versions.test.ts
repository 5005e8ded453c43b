import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type AtifDocument, leafTools, readAtif, replay } from '../src/index.js';
import { unsafeDirectorySandbox } from '../src/testing/index.js';

const fixture = (minor: number): AtifDocument =>
  JSON.parse(readFileSync(new URL(`./fixtures/atif/v1.${minor}.json`, import.meta.url), 'utf8')) as AtifDocument;
const minors = [0, 1, 2, 3, 4, 5, 6, 7, 8];

describe('readAtif', () => {
  it.each(minors)('reads a document of version 1.%d of another harness as 1.8, with everything that it holds', (minor) => {
    const document = fixture(minor);
    const read = readAtif(document);
    expect(read.schema_version).toBe('ATIF-v1.8');
    const relabelled = JSON.parse(
      JSON.stringify(document)
        .replaceAll(/ATIF-v1\.\d/g, 'ATIF-v1.8')
        .replaceAll('audio/mp3', 'audio/mpeg'),
    );
    expect(JSON.parse(JSON.stringify(read))).toEqual(relabelled);
    expect(readAtif(read)).toEqual(read);
  });

  it('keeps the label and the members of a later version', () => {
    const later = { ...fixture(8), schema_version: 'ATIF-v1.9', mood: 'good' };
    expect(readAtif(later)).toMatchObject({ schema_version: 'ATIF-v1.9', mood: 'good' });
  });

  const agentStep = fixture(0).steps[1]!;
  const withSteps = (...steps: object[]) => ({ ...fixture(0), steps: steps.map((step, index) => ({ ...step, step_id: index + 1 })) });
  it.each([
    ['another major version', { ...fixture(8), schema_version: 'ATIF-v2.0' }, 'ATIF-v1.N'],
    ['no session up to 1.6', { ...fixture(6), session_id: undefined }, 'session_id'],
    ['steps out of order', { ...fixture(0), steps: [{ step_id: 2, source: 'user', message: '' }] }, 'step_id 1, received 2'],
    ['no steps', { ...fixture(0), steps: [] }, 'steps'],
    ['calls of a user', withSteps({ ...agentStep, source: 'user' }), 'tool_calls on agent steps only'],
    ['metrics of the system', withSteps({ source: 'system', message: '', metrics: {} }), 'metrics on agent steps only'],
    [
      'a result of a call that its step does not make',
      withSteps({ source: 'agent', message: '', observation: { results: [{ source_call_id: 'x' }] } }),
      'received x',
    ],
    [
      'one id of two calls',
      withSteps({ ...agentStep, tool_calls: [...agentStep.tool_calls!, ...agentStep.tool_calls!] }),
      'every tool_call_id once',
    ],
    [
      'one id of two subagents',
      { ...fixture(7), subagent_trajectories: [...fixture(7).subagent_trajectories!, ...fixture(7).subagent_trajectories!] },
      'every trajectory_id once',
    ],
    ['a subagent that breaks a rule', { ...fixture(7), subagent_trajectories: [{ ...fixture(7), steps: [] }] }, 'steps'],
    [
      'an image of another type',
      withSteps({ source: 'user', message: [{ type: 'image', source: { media_type: 'image/bmp', path: '' } }] }),
      'message',
    ],
    [
      'a part with a member that the format does not have',
      withSteps({ source: 'user', message: [{ type: 'text', text: '', size: 1 }] }),
      'message',
    ],
    ['a negative count', withSteps({ ...agentStep, metrics: { prompt_tokens: -1 } }), 'prompt_tokens'],
  ])('refuses %s and names it', (_what, document, text) => {
    expect(() => readAtif(document)).toThrow(expect.objectContaining({ code: 'invalid-input', message: expect.stringContaining(text) }));
  });
});

describe('replay of a document of another harness', () => {
  it.each(minors)('runs the calls of version 1.%d and compares every answer that it can', async (minor) => {
    const sandbox = await unsafeDirectorySandbox();
    const report = await replay({ recorded: fixture(minor), tools: leafTools(), sandbox });
    await sandbox.dispose();
    expect(report.divergence).toBeUndefined();
    expect(report.compared).toBe(1);
    expect(report.uncompared).toEqual([
      ...(minor === 2 ? ['step 1: 1 observations that name no call'] : []),
      ...(minor === 7 ? ['step 2: copied context'] : []),
      ...(minor === 6 ? ['turn 0, call 1: the answer is not text'] : []),
      'the patch: the record holds none',
    ]);
  });
});
