import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isTadpoleError, type TadpoleEvent } from '@tadpole/contracts';
import { describe, expect, it } from 'vitest';
import { openJournal, readJournal } from '../src/run/journal.js';

const at = '2026-11-29T12:00:00.000Z';
const event = (iteration: number): TadpoleEvent => ({ type: 'iteration-start', at, iteration, weightsVersion: `w${iteration}` });
const codeOf = (action: () => unknown): unknown => {
  try {
    return action();
  } catch (error) {
    return isTadpoleError(error) ? error.code : error;
  }
};
const folder = () => mkdtempSync(join(tmpdir(), 'tadpole-journal-'));

describe('the journal', () => {
  it('reads back what was appended, in order', () => {
    const directory = folder();
    const journal = openJournal(directory);
    journal.append(event(0));
    journal.append(event(1));
    journal.close();
    expect(readJournal(directory)).toEqual([event(0), event(1)]);
  });

  it('has every appended event on disk before append returns', () => {
    const directory = folder();
    const journal = openJournal(directory);
    journal.append(event(0));
    expect(readJournal(directory)).toEqual([event(0)]);
    journal.close();
  });

  it.each([1, 10, 40])('drops a last line that a kill cut off after %i bytes and goes on behind the whole ones', (bytes) => {
    const directory = folder();
    const first = openJournal(directory);
    first.append(event(0));
    first.close();
    appendFileSync(join(directory, 'journal.jsonl'), JSON.stringify(event(1)).slice(0, bytes));
    const second = openJournal(directory);
    expect(second.events).toEqual([event(0)]);
    second.append(event(2));
    second.close();
    expect(readJournal(directory)).toEqual([event(0), event(2)]);
  });

  it('refuses a damaged line in the middle and names its number', () => {
    const directory = folder();
    writeFileSync(join(directory, 'journal.jsonl'), `${JSON.stringify(event(0))}\n{"type":"iteration-st\n${JSON.stringify(event(1))}\n`);
    expect(() => readJournal(directory)).toThrowError(/journal\.jsonl:2/);
  });

  it('refuses an event with an unknown key', () => {
    const directory = folder();
    writeFileSync(join(directory, 'journal.jsonl'), `${JSON.stringify({ ...event(0), colour: 'green' })}\n`);
    expect(() => readJournal(directory)).toThrowError(/journal\.jsonl:1/);
  });

  it('throws a storage error on a full disk and keeps the lines before it', () => {
    const directory = folder();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', directory]);
    try {
      const journal = openJournal(directory, { reserveBytes: 0 });
      let written = 0;
      const fill = () => {
        for (; written < 1000; written += 1) journal.append(event(written));
      };
      expect(codeOf(fill)).toBe('storage');
      journal.close();
      expect(written).toBeGreaterThan(10);
      expect(readJournal(directory)).toHaveLength(written);
    } finally {
      execFileSync('umount', [directory]);
    }
  });

  it('stops before the disk is full, while a summary still finds room', () => {
    const directory = folder();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', directory]);
    try {
      const journal = openJournal(directory, { reserveBytes: 32 * 1024 });
      let written = 0;
      const fill = () => {
        for (; written < 1000; written += 1) journal.append(event(written));
      };
      expect(fill).toThrowError(/32768 bytes to stay free/);
      journal.close();
      writeFileSync(join(directory, 'summary'), 'x'.repeat(24 * 1024));
      expect(readJournal(directory)).toHaveLength(written);
    } finally {
      execFileSync('umount', [directory]);
    }
  });

  it('throws a storage error for a folder that is not there', () => {
    expect(codeOf(() => openJournal(join(folder(), 'absent')))).toBe('storage');
  });
});
