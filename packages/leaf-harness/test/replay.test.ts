import { type OwnedSandbox, TadpoleError, type Trajectory } from '@tadpole/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { leafExactProfile, leafProfile, replay, runAgent, toAtif } from '../src/index.js';
import { type ScriptedStep, scriptedPolicy, unsafeDirectorySandbox } from '../src/testing/index.js';

let opened: OwnedSandbox[] = [];
const open = async (files: Record<string, string> = { 'a.txt': 'one\n' }) => {
  const sandbox = await unsafeDirectorySandbox({ files });
  opened.push(sandbox);
  return sandbox;
};
afterEach(async () => {
  await Promise.all(opened.map((sandbox) => sandbox.dispose()));
  opened = [];
});

const bash = (command: string) => ({ name: 'Bash', arguments: { command } });
const edit = { name: 'Edit', arguments: { file_path: 'a.txt', old_string: 'one', new_string: 'two' } };
const read = { name: 'Read', arguments: { file_path: 'a.txt' } };

async function record(steps: ScriptedStep[], profile = leafProfile()): Promise<Trajectory> {
  const run = runAgent({
    ...profile,
    id: 'r',
    taskId: 't',
    instruction: 'Fix it.',
    policy: scriptedPolicy(steps),
    sandbox: await open(),
    sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 100, seed: 1 },
    now: () => 0,
  });
  for (;;) {
    const next = await run.next();
    if (next.done === true) return next.value;
  }
}
const { tools } = leafProfile();

describe('replay', () => {
  it('finds every answer and the patch again in a fresh sandbox, also through ATIF', async () => {
    const recorded = await record([
      { toolCalls: [read, edit, { name: 'Read', arguments: '{"file' }, { name: 'Nope', arguments: {} }] },
      { toolCalls: [bash('cat a.txt; exit 3')] },
      { content: 'Done.' },
    ]);
    const report = { compared: 5, uncompared: [] };
    expect(await replay({ recorded, tools, sandbox: await open() })).toEqual(report);
    const document = JSON.parse(JSON.stringify(toAtif(recorded)));
    expect(await replay({ recorded: document, tools, sandbox: await open() })).toEqual(report);
  });

  it('reports the first answer that differs, with its turn, its call and both texts', async () => {
    const recorded = await record([{ toolCalls: [edit] }, { toolCalls: [bash('true'), read] }, { toolCalls: [read] }, {}]);
    const sandbox = await open({ 'a.txt': 'one\nmore\n' });
    expect(await replay({ recorded, tools, sandbox })).toEqual({
      divergence: {
        type: 'observation',
        turn: 1,
        call: 1,
        toolCall: recorded.turns[1]?.assistant.toolCalls[1],
        expected: 'a.txt\n1. two',
        got: 'a.txt\n1. two\n2. more',
      },
      compared: 2,
      uncompared: [],
    });
  });

  it('reports a patch that differs although every answer is the same', async () => {
    const recorded = await record([{ toolCalls: [bash('wc -l < a.txt > n.txt')] }, {}]);
    const { divergence } = await replay({ recorded, tools, sandbox: await open({ 'a.txt': 'one\ntwo\n' }) });
    expect(divergence).toMatchObject({ type: 'patch', expected: expect.stringContaining('+1'), got: expect.stringContaining('+2') });
  });

  it('takes both sides through what the caller knows to vary', async () => {
    const recorded = await record([{ toolCalls: [bash('echo took $RANDOM$RANDOM ms')] }, {}]);
    const sandbox = await open();
    expect((await replay({ recorded, tools, sandbox })).divergence).toMatchObject({ turn: 0, call: 0 });
    const normalise = (text: string) => text.replace(/\d+ ms/g, 'N ms');
    expect(await replay({ recorded, tools, sandbox, normalise })).toEqual({ compared: 1, uncompared: [] });
  });

  it('does not run what the end of the recorded run cut off, and says so', async () => {
    const recorded = await record([{ toolCalls: [bash('echo x >> a.txt')], stopReason: 'length' }]);
    expect(recorded.stopReason).toBe('max-context');
    expect(await replay({ recorded, tools, sandbox: await open() })).toEqual({
      compared: 0,
      uncompared: ['turn 0, call 0: Not executed: the run ended (max-context).'],
    });
  });

  it('needs the profile of the record', async () => {
    const recorded = await record(
      [{ toolCalls: [{ name: 'Write', arguments: { file_path: 'b.txt', content: 'ü' } }] }, {}],
      leafExactProfile(),
    );
    expect((await replay({ recorded, ...leafExactProfile(), sandbox: await open() })).divergence).toBeUndefined();
    expect((await replay({ recorded, tools, sandbox: await open() })).divergence).toMatchObject({
      expected: 'Wrote b.txt (1 bytes).',
      got: 'Wrote b.txt (2 bytes).',
    });
  });

  it('throws when the sandbox fails and when it is told to stop', async () => {
    const recorded = await record([{ toolCalls: [bash('true')] }, {}]);
    const gone = { ...(await open()), run: () => Promise.reject(new TadpoleError({ code: 'sandbox', message: 'gone' })) };
    await expect(replay({ recorded, tools, sandbox: gone })).rejects.toMatchObject({ code: 'sandbox' });
    await expect(replay({ recorded, tools, sandbox: await open(), signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    });
  });
});
