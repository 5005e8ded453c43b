import { mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createRedactor, createRolloutJournal } from '../src/index.js';
import { answer, collect, graderOf, policyOf, scored, start, taskOf } from './rollout-fixture.js';

const folders: string[] = [];
const fresh = () => {
  const folder = mkdtempSync(join(tmpdir(), 'journal-files-'));
  folders.push(folder);
  return join(folder, 'rollouts.jsonl');
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
const refusal = (code: string) => expect.objectContaining({ code });

describe('the file of a journal', () => {
  it.each([
    ['one line of JSON', '{"precious":true}'],
    ['one line of JSON with a key', '{"key":"value"}'],
    ['notes', '# notes'],
    ['notes of two lines', '# notes\nlast line'],
    ['JSON over lines', '{\n  "precious": true\n}'],
  ])('that holds %s is refused and stays as it is', (_what, content) => {
    const file = fresh();
    writeFileSync(file, content);
    expect(() => createRolloutJournal({ file })).toThrow(refusal('invalid-input'));
    expect(readFileSync(file, 'utf8')).toBe(content);
  });

  it.each([
    ['deleted', (file: string) => rmSync(file)],
    ['renamed', (file: string) => renameSync(file, `${file}.old`)],
    [
      'replaced',
      (file: string) => {
        renameSync(file, `${file}.old`);
        writeFileSync(file, '');
      },
    ],
    ['written to by another', (file: string) => writeFileSync(file, 'more\n', { flag: 'a' })],
  ])('that is %s while it is open ends the run, which keeps nothing where it would be lost', async (_what, change) => {
    const file = fresh();
    const journal = createRolloutJournal({ file });
    const policy = policyOf(async () => {
      change(file);
      return answer;
    });
    const run = collect(start({ tasks: [taskOf('a')], samplesPerTask: 1, journal, policy }));
    await expect(run).rejects.toMatchObject({ code: 'storage' });
    journal.close();
  });

  it('has one writer, by whichever link it is named', () => {
    const file = fresh();
    const link = `${file}.link`;
    symlinkSync(file, link);
    const journal = createRolloutJournal({ file: link });
    expect(() => createRolloutJournal({ file })).toThrow(refusal('storage'));
    journal.close();
    createRolloutJournal({ file }).close();
  });

  it("holds nothing that the journal's own redactor knows, failed attempts and names included", async () => {
    const file = fresh();
    const secret = 'correct-horse-battery';
    const journal = createRolloutJournal({ file, redactor: createRedactor({ secrets: { K: secret } }) });
    let gradings = 0;
    const grader = graderOf(async () => {
      gradings += 1;
      if (gradings === 1) throw new Error(`saw ${secret}`);
      return scored(1);
    });
    await collect(start({ tasks: [taskOf(`of-${secret}`)], samplesPerTask: 1, journal, grader, weightsVersion: secret }));
    const [record] = [...journal.records()];
    journal.close();
    expect(record?.failedAttempts).toEqual([{ stage: 'grading', detail: 'saw [redacted:K]' }]);
    expect(readFileSync(file, 'utf8')).not.toContain(secret);
  });
});
