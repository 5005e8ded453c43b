import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCheckpointStore } from '../../src/server/checkpoint-store.js';

const name = { modelId: 'session_1:train:0', kind: 'weights', name: 'kept' } as const;
const facts = { baseModel: 'tadpole/embedded', time: '2026-01-01T00:00:00.000Z', rank: 8 };
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tadpole-store-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const storeOf = () => createCheckpointStore({ directory });
const save = (text: string, write: (file: string) => Promise<void> = (file) => writeFile(file, text)) =>
  storeOf().save({ ...name, ...facts, overwrite: true, write });
const saved = async () => readFileSync((await storeOf().find(name)).file, 'utf8');
const drafts = () => readdirSync(directory).filter((entry) => entry.startsWith('.draft'));

describe('the checkpoints of a server', () => {
  it('are whole when they are overwritten: the old one is there until the new one is, and alone when that fails', async () => {
    await save('first');
    let meanwhile = '';
    await save('second', async (file) => {
      await writeFile(file, 'sec');
      meanwhile = await saved();
      await writeFile(file, 'second');
    });
    expect([meanwhile, await saved()]).toEqual(['first', 'second']);
    await save('third');
    const folder = dirname((await storeOf().find(name)).file);
    expect([await saved(), readdirSync(folder)]).toEqual(['third', ['checkpoint.json', expect.stringMatching(/^weights-.+/)]]);
    const failing = save('', async (file) => {
      await writeFile(file, 'half');
      throw new Error('the disk is full');
    });
    await expect(failing).rejects.toThrow('the disk is full');
    expect([await saved(), drafts()]).toEqual(['third', []]);
    await expect(storeOf().save({ ...name, ...facts, overwrite: false, write: async () => {} })).rejects.toMatchObject({ status: 409 });
  });

  it('of older versions are read', async () => {
    const folder = join(directory, name.modelId, name.kind, name.name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'checkpoint.json'), JSON.stringify({ baseModel: facts.baseModel, time: facts.time }));
    writeFileSync(join(folder, 'weights.safetensors'), 'old');
    expect(await saved()).toBe('old');
  });

  it('lose the drafts of processes that are no more, and no others', async () => {
    const { pid: dead } = spawnSync(process.execPath, ['-e', '']);
    for (const draft of [`.draft-${dead}-a`, '.draft-Xy12zA', `.draft-${process.ppid}-b`]) {
      mkdirSync(join(directory, draft));
      writeFileSync(join(directory, draft, 'weights.safetensors'), 'half');
    }
    await save('whole', async (file) => {
      await writeFile(file, 'whole');
      await storeOf().tidy();
    });
    expect([await saved(), drafts()]).toEqual(['whole', [`.draft-${process.ppid}-b`]]);
    await createCheckpointStore({ directory: join(directory, 'none') }).tidy();
  });
});
