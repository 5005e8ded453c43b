import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TadpoleEvent } from '@tadpole/contracts';
import { describe, expect, it } from 'vitest';
import { readJournal } from '../src/run/journal.js';
import type { TimelessEvent } from '../src/run/timeless-event.js';
import { recordOnce } from '../src/synth/event-recorder.js';
import { createSynthesisStore, resumeSynthesisStore } from '../src/synth/synthesis-store.js';

const newFolder = () => mkdtempSync(join(tmpdir(), 'tadpole-synthesis-'));
const now = () => new Date(0);
const settings = { count: 3, policy: { model: 'm', price: undefined }, repositories: ['a'] };

describe('the folder of a synthesis', () => {
  it('is made in an empty folder only, and is not begun a second time', () => {
    const directory = newFolder();
    createSynthesisStore({ directory, settings, now }).close();
    expect(() => createSynthesisStore({ directory, settings, now })).toThrow(
      expect.objectContaining({ code: 'invalid-input', message: expect.stringMatching(/already holds a synthesis\. Resume it/) }),
    );
    const foreign = newFolder();
    writeFileSync(join(foreign, 'mine.txt'), '');
    expect(() => createSynthesisStore({ directory: foreign, settings, now })).toThrow(/holds mine\.txt/);
    expect(() => createSynthesisStore({ directory: join(foreign, 'mine.txt'), settings, now })).toThrow(
      expect.objectContaining({ code: 'invalid-input' }),
    );
  });

  it('is resumed with the same settings in whatever order, and with no others, which are named', () => {
    const directory = newFolder();
    createSynthesisStore({ directory, settings, now }).close();
    const { resumed, close } = resumeSynthesisStore({
      directory,
      settings: { repositories: ['a'], policy: { price: undefined, model: 'm' }, count: 3 },
    });
    expect(resumed).toBe(true);
    close();
    const others = { ...settings, count: 4, band: [0, 1] };
    expect(() => resumeSynthesisStore({ directory, settings: others })).toThrow(
      expect.objectContaining({
        code: 'invalid-input',
        message: expect.stringMatching(/count was 3 and is 4; band was not set and is \[0,1\]/),
      }),
    );
    expect(() => resumeSynthesisStore({ directory: newFolder(), settings })).toThrow(/synthesis\.json/);
  });

  it('belongs to one process at a time', () => {
    const directory = newFolder();
    createSynthesisStore({ directory, settings, now }).close();
    writeFileSync(join(directory, 'lock'), String(process.ppid));
    expect(() => resumeSynthesisStore({ directory, settings })).toThrow(
      expect.objectContaining({ code: 'storage', message: expect.stringMatching(/in use by process/) }),
    );
    // The greatest number of a process is 2 ** 22: there is none with this one.
    writeFileSync(join(directory, 'lock'), '4194305');
    resumeSynthesisStore({ directory, settings }).close();
  });
});

describe('the journal of a synthesis', () => {
  const round = (number: number): TimelessEvent => ({ type: 'calibration-round', iteration: 0, round: number, tasks: 1, rollouts: 2 });
  const bodies = (directory: string) => readJournal(directory).map(({ at: _, ...body }: TadpoleEvent) => body);

  it('holds an event once that a resumed process reports again, and two that one process reported', () => {
    const directory = newFolder();
    const first = createSynthesisStore({ directory, settings, now });
    const record = recordOnce({ journal: first.journal, now });
    for (const number of [0, 0, 1]) record(round(number));
    first.close();
    const second = resumeSynthesisStore({ directory, settings });
    const again = recordOnce({ journal: second.journal, now: () => new Date(1) });
    for (const number of [0, 0, 1, 2, 1]) again(round(number));
    second.close();
    expect(bodies(directory)).toEqual([0, 0, 1, 2, 1].map(round));
    expect(readFileSync(join(directory, 'journal.jsonl'), 'utf8').split('"at":"1970-01-01T00:00:00.000Z"')).toHaveLength(4);
  });
});
